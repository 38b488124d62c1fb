// The C++ kit: derive from `kingmaker::Bot`, hand an object of it to `kingmaker::run`.
//
//     struct First : kingmaker::Bot {
//         kingmaker::Choice choose(const kingmaker::Value& turn) override { return turn["legal"][0]; }
//     };
//
// One header over cppzmq and RapidJSON. Messages are handed on as they came, as JSON values, so the kit
// knows no game and ignores what later arenas add.
#pragma once

#if !__has_include(<zmq.hpp>) || !__has_include(<rapidjson/document.h>)
#error "headers are missing: apt-get install g++ make libzmq3-dev cppzmq-dev rapidjson-dev"
#endif

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace kingmaker {
[[noreturn, gnu::cold]] inline void misused(const char* function, const char* expected) {
    throw std::logic_error(std::string("a JSON value lacks that field or is of another type: ") + function +
                           " of RapidJSON expected " + expected);
}
}  // namespace kingmaker

// A field that is missing or of another type shall reach the author as an exception, not as an abort or,
// with NDEBUG, as nonsense. Set before RapidJSON is first included.
#define RAPIDJSON_ASSERT(x) ((x) ? void() : ::kingmaker::misused(__func__, #x))
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <zmq.hpp>

namespace kingmaker {

/// A JSON value of a message. It and the text in it live until the function that was given it returns.
using Value = rapidjson::Value;

/// The text of a JSON string; throws std::logic_error where it is none.
inline std::string_view text(const Value& value) { return {value.GetString(), value.GetStringLength()}; }

/// What a bot does: one of `legal`, and perhaps a note for the record (at most 200 characters, none of them a
/// control character). Anything that is text converts to it.
struct Choice {
    template <class Text, class = std::enable_if_t<std::is_convertible_v<const Text&, std::string_view>>>
    Choice(const Text& action, std::string_view note = {}) : action(action), note(note) {}
    Choice(const Value& action, std::string_view note = {}) : Choice(text(action), note) {}

    std::string action;
    std::string note;  ///< Empty: none.
};

/// A player. One process plays many games, one after the other; `started` is where a bot forgets the last.
/// An exception that leaves one of these functions ends the process, and costs the bot its game.
class Bot {
public:
    virtual ~Bot() = default;
    virtual void started(const Value& /*start*/) {}
    virtual Choice choose(const Value& turn) = 0;
    virtual void ended(const Value& /*end*/) {}
    /// False for a bot that plays from the view alone: it is told no events, and its turns are cheaper.
    virtual bool wants_events() const { return true; }

    /// Seeded anew for each game with its `bot_seed`: a bot that draws from it can be replayed.
    std::mt19937_64 rng;
};

/// The bot's side of the conversation, bytes to bytes: no socket, no clock. What `hello` and `answer`
/// return is valid until the next call.
class Player {
public:
    explicit Player(Bot& bot) : bot_(bot) {}
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    std::string_view hello(std::string_view token) {
        open("hello");
        writer_.Key("protocol");
        writer_.StartArray();
        writer_.Int(1);
        writer_.EndArray();
        put("token", token);
        put("sdk", "kingmaker-c++/1");
        if (!bot_.wants_events()) {
            writer_.Key("features");
            writer_.StartArray();
            writer_.String("no_events");
            writer_.EndArray();
        }
        return close();
    }

    /// The reply to a message of the referee; empty: the bot is to exit. Throws std::runtime_error where
    /// the arena complains or sends what this protocol does not have.
    std::string_view answer(std::string_view bytes) {
        const Value& message = parse(bytes);
        const std::string_view type = text(message["type"]);
        if (type == "turn") return move(message);
        if (type == "start") return start(message);
        if (type == "end") {
            bot_.ended(message);
            return ready(message);
        }
        if (type == "bye") return {};
        if (type == "error") throw std::runtime_error(complaint(message));
        throw std::runtime_error("the arena sent a message of unknown type: " + std::string(type));
    }

private:
    const Value& parse(std::string_view bytes) {
        bytes_.assign(bytes);  // parsing in place needs text of our own that ends in a zero
        pool_.Clear();
        if (document_.ParseInsitu(bytes_.data()).HasParseError())
            throw std::runtime_error("not JSON at byte " + std::to_string(document_.GetErrorOffset()));
        return document_;
    }

    std::string_view start(const Value& message) {
        const std::string_view digits = text(message["bot_seed"]);
        std::seed_seq seed(digits.begin(), digits.end());
        bot_.rng.seed(seed);
        bot_.started(message);
        return ready(message);
    }

    std::string_view ready(const Value& message) {
        open("ready");
        put("game_id", text(message["game_id"]));
        return close();
    }

    std::string_view move(const Value& message) {
        const Choice choice = bot_.choose(message);
        if (!is_legal(message, choice.action))  // sent all the same: the referee is the judge
            std::cerr << "not one of the legal actions: " << choice.action << '\n';
        open("move");
        put("game_id", text(message["game_id"]));
        writer_.Key("turn");
        writer_.Int64(message["turn"].GetInt64());
        put("action", choice.action);
        if (!choice.note.empty()) put("note", choice.note);
        return close();
    }

    static bool is_legal(const Value& turn, std::string_view action) {
        for (const Value& legal : turn["legal"].GetArray())
            if (text(legal) == action) return true;
        return false;
    }

    static std::string complaint(const Value& error) {
        const std::string path(text(error["path"]));
        std::string result = "the arena complains: ";
        result.append(text(error["code"])).append(" at ").append(path.empty() ? "message" : path);
        return result.append(": ").append(text(error["detail"]));
    }

    void open(std::string_view type) {
        reply_.Clear();
        writer_.Reset(reply_);
        writer_.StartObject();
        put("type", type);
    }

    void put(const char* key, std::string_view value) {
        writer_.Key(key);
        writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
    }

    std::string_view close() {
        writer_.EndObject();
        return {reply_.GetString(), reply_.GetSize()};
    }

    static constexpr std::size_t kPool = 64 * 1024;  // enough for most turns; what goes beyond is malloc'ed

    Bot& bot_;
    std::string bytes_;
    alignas(std::max_align_t) char memory_[kPool];
    rapidjson::MemoryPoolAllocator<> pool_{memory_, kPool};
    rapidjson::Document document_{&pool_};
    rapidjson::StringBuffer reply_;
    rapidjson::Writer<rapidjson::StringBuffer> writer_;
};

/// Play over a ZeroMQ socket until the arena says `bye`. Throws what `Player::answer` and the bot throw.
inline void converse(Bot& bot, const char* endpoint, const char* token) {
    zmq::context_t context;
    zmq::socket_t socket(context, zmq::socket_type::req);
    socket.set(zmq::sockopt::linger, 0);
    socket.connect(endpoint);
    Player player(bot);
    zmq::message_t message;
    std::string_view reply = player.hello(token);
    while (!reply.empty()) {
        socket.send(zmq::buffer(reply), zmq::send_flags::none);
        static_cast<void>(socket.recv(message));
        reply = player.answer(message.to_string_view());
    }
}

/// `main` of a bot. Returns its exit code: 0 after `bye`; 1 where the arena complained or an exception left
/// the bot, with what it says on stderr; 2 where no arena started this process.
inline int run(Bot& bot) {
    const char* endpoint = std::getenv("ARENA_ENDPOINT");
    const char* token = std::getenv("ARENA_TOKEN");
    if (!endpoint || !token) {
        std::cerr << (endpoint ? "ARENA_TOKEN" : "ARENA_ENDPOINT")
                  << " is not set: a bot is started by the arena\n";
        return 2;
    }
    try {
        converse(bot, endpoint, token);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

}  // namespace kingmaker
