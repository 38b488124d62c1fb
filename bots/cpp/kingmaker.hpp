// The C++ kit: derive from `kingmaker::Bot`, hand an object of it to `kingmaker::run`.
//
//     struct First : kingmaker::Bot {
//         kingmaker::Choice choose(const kingmaker::Value& turn) override { return turn["legal"][0]; }
//     };
//
// One header over cppzmq and simdjson. Messages are handed on as they came, as JSON values, so the kit
// knows no game and ignores what later arenas add.
#pragma once

#if !__has_include(<zmq.hpp>) || !__has_include(<simdjson.h>)
#error "headers are missing: apt-get install g++ make libzmq3-dev cppzmq-dev libsimdjson-dev"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <simdjson.h>
#include <zmq.hpp>

namespace kingmaker {

/// A JSON value of a message: a handle, cheap to copy. It and its text live until the function that was given
/// it returns. Asking for what is missing or of another type throws std::logic_error.
class Value {
public:
    class Iterator {
    public:
        explicit Iterator(simdjson::dom::array::iterator at) : at_(at) {}
        Value operator*() const { return Value(*at_); }
        Iterator& operator++() { return ++at_, *this; }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }

    private:
        simdjson::dom::array::iterator at_;
    };

    Value() = default;
    explicit Value(simdjson::dom::element element) : element_(element) {}

    /// A field of an object, found by searching from the first on.
    Value operator[](std::string_view key) const { return Value(checked(element_.at_key(key), key)); }
    /// An element of an array, found by walking from the first on: iterate where you want them all.
    Value operator[](std::size_t index) const { return Value(checked(element_.at(index), "index")); }
    /// Whether this is an object with such a field.
    bool has(std::string_view key) const { return element_.at_key(key).error() == simdjson::SUCCESS; }

    /// An array's length, and its elements.
    std::size_t size() const { return array().size(); }
    Iterator begin() const { return Iterator(array().begin()); }
    Iterator end() const { return Iterator(array().end()); }
    /// An object's fields: `for (auto [key, element] : value.fields())`, `Value(element)`.
    simdjson::dom::object fields() const { return checked(element_.get_object(), "object"); }

    std::string_view text() const { return checked(element_.get_string(), "text"); }
    std::int64_t integer() const { return checked(element_.get_int64(), "integer"); }
    double number() const { return checked(element_.get_double(), "number"); }  ///< An integer is one, too.
    bool boolean() const { return checked(element_.get_bool(), "boolean"); }
    bool is_null() const { return element_.is_null(); }

private:
    simdjson::dom::array array() const { return checked(element_.get_array(), "array"); }

    template <class T>
    static T checked(simdjson::simdjson_result<T> result, std::string_view wanted) {
        T value;
        if (const auto error = std::move(result).get(value)) misused(wanted, error);
        return value;
    }

    [[noreturn, gnu::cold]] static void misused(std::string_view wanted, simdjson::error_code error) {
        throw std::logic_error("a JSON value lacks that field or is of another type: " + std::string(wanted) +
                               ": " + simdjson::error_message(error));
    }

    simdjson::dom::element element_;
};

/// The text of a JSON string; throws std::logic_error where it is none.
inline std::string_view text(const Value& value) { return value.text(); }

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
    explicit Player(Bot& bot) : bot_(bot) { make_room(kRoom); }
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    std::string_view hello(std::string_view token) {
        open("hello");
        reply_ += R"(,"protocol":[1])";
        put("token", token);
        put("sdk", "kingmaker-c++/1");
        if (!bot_.wants_events()) reply_ += R"(,"features":["no_events"])";
        return close();
    }

    /// The reply to a message of the referee; empty: the bot is to exit. Throws std::runtime_error where
    /// the arena complains or sends what this protocol does not have.
    std::string_view answer(std::string_view bytes) {
        const Value message = parse(bytes);
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
    Value parse(std::string_view bytes) {
        if (bytes.size() > room_) make_room(2 * bytes.size());
        std::memcpy(padded_.get(), bytes.data(), bytes.size());
        simdjson::dom::element message;
        if (const auto error = parser_.parse(padded_.get(), bytes.size(), false).get(message))
            throw std::runtime_error(std::string("not JSON: ") + simdjson::error_message(error));
        return Value(message);
    }

    /// For messages of so many bytes; while they fit, nothing is allocated.
    void make_room(std::size_t room) {
        padded_.reset(new char[room + simdjson::SIMDJSON_PADDING]());
        if (parser_.allocate(room)) throw std::bad_alloc();
        room_ = room;
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
        reply_.append(R"(,"turn":)").append(std::to_string(message["turn"].integer()));
        put("action", choice.action);
        if (!choice.note.empty()) put("note", choice.note);
        return close();
    }

    static bool is_legal(const Value& turn, std::string_view action) {
        for (const Value legal : turn["legal"])
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
        reply_ = R"({"type":)";
        quote(type);
    }

    void put(std::string_view key, std::string_view value) {
        reply_ += ',';
        quote(key);
        reply_ += ':';
        quote(value);
    }

    void quote(std::string_view plain) {
        reply_ += '"';
        std::size_t done = 0;
        for (std::size_t at = 0; at < plain.size(); ++at) {
            const auto byte = static_cast<unsigned char>(plain[at]);
            if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
            reply_.append(plain, done, at - done);
            done = at + 1;
            if (byte >= 0x20)
                (reply_ += '\\') += plain[at];
            else
                ((reply_ += "\\u00") += "01"[byte >> 4]) += "0123456789abcdef"[byte & 15];
        }
        reply_.append(plain, done) += '"';
    }

    std::string_view close() { return reply_ += '}'; }

    static constexpr std::size_t kRoom = 8 * 1024;  // enough for most turns; grows for what is larger

    Bot& bot_;
    simdjson::dom::parser parser_;
    std::unique_ptr<char[]> padded_;  // simdjson reads beyond the end of a message
    std::size_t room_ = 0;
    std::string reply_;
};

/// Play over a ZeroMQ socket until the arena says `bye`. Throws what `Player::answer` and the bot throw.
inline void over_zeromq(Bot& bot, const char* endpoint, const char* token) {
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

/// The same, a message a line: `transport = "stdio"` in the manifest. Ends with its input, too.
inline void over_lines(Bot& bot, const char* token) {
    std::ios::sync_with_stdio(false);  // else a line is read character by character
    Player player(bot);
    std::string message;
    std::string_view reply = player.hello(token);
    while (!reply.empty()) {
        std::cout << reply << std::endl;
        reply = std::getline(std::cin, message) ? player.answer(message) : std::string_view();
    }
}

/// `main` of a bot. Returns its exit code: 0 after `bye`; 1 where the arena complained or an exception left
/// the bot, with what it says on stderr; 2 where no arena started this process.
inline int run(Bot& bot) {
    const char* endpoint = std::getenv("ARENA_ENDPOINT");
    const char* token = std::getenv("ARENA_TOKEN");
    if (!endpoint || !token) {
        std::cerr << (endpoint ? "ARENA_TOKEN" : "ARENA_ENDPOINT")
                  << " is not set: a bot is started by the arena (try: arena play . random)\n";
        return 2;
    }
    try {
        if (std::string_view(endpoint) == "stdio:")
            over_lines(bot, token);
        else
            over_zeromq(bot, endpoint, token);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

}  // namespace kingmaker
