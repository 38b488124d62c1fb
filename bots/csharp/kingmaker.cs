// The C# kit: derive from Kingmaker.Bot, hand an object of it to Arena.Run.
//
//     using Kingmaker;
//
//     class First : Bot {
//         public override Choice Choose(Turn turn) { return turn.legal[0]; }
//         static int Main() { return Arena.Run(new First()); }
//     }
//
// Messages are the classes of types.cs. What they call `object` (view, setup, body of an event) is as the game
// has it: Json.As<ClaimView>(turn.view). Written in C# 5, for Mono and for .NET alike.
namespace Kingmaker
{
    using System;
    using System.IO;
    using System.Linq;
    using System.Text;

    /// <summary>What a bot does: one of `legal`, and perhaps a note of at most 200 characters for the record.</summary>
    public struct Choice
    {
        public readonly string Action, Note;

        public Choice(string action, string note = null)
        {
            Action = action;
            Note = note;
        }

        public static implicit operator Choice(string action) { return new Choice(action); }
    }

    /// <summary>
    /// A player. One process plays many games, one after the other; Started is where a bot forgets the last. An
    /// exception that leaves a method ends the process with its trace in the log, and costs the game.
    /// </summary>
    public abstract class Bot
    {
        /// <summary>Seeded anew for each game with its bot_seed: a bot that draws from it can be replayed.</summary>
        public Random Rng { get; internal set; }

        /// <summary>False for a bot that plays from the view alone: it is told no events, and its turns are cheaper.</summary>
        public virtual bool WantsEvents { get { return true; } }

        public virtual void Started(Start start) { }
        public abstract Choice Choose(Turn turn);
        public virtual void Ended(End end) { }
    }

    /// <summary>The conversation.</summary>
    public static class Arena
    {
        const string Sdk = "kingmaker-csharp/1";

        /// <summary>
        /// Plays until the arena says `bye` or closes the input. Returns the exit code of Main: not 0, with the text
        /// on stderr, where the arena reports an error or did not start this process.
        /// </summary>
        public static int Run(Bot bot)
        {
            try
            {
                Talk(bot, Hello(bot, Variable("ARENA_ENDPOINT"), Variable("ARENA_TOKEN")));
                return 0;
            }
            catch (Refused refused)
            {
                Console.Error.WriteLine(refused.Message);
                return 1;
            }
        }

        class Refused : Exception
        {
            public Refused(string why) : base(why) { }
        }

        static string Variable(string name)
        {
            string value = Environment.GetEnvironmentVariable(name);
            if (value != null) return value;
            throw new Refused(name + " is not set: a bot is started by the arena (try: arena play . random)");
        }

        static void Talk(Bot bot, string reply)
        {
            var utf8 = new UTF8Encoding(false);
            Console.OutputEncoding = utf8; // of what the bot prints, which goes to its log
            using (var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { NewLine = "\n" })
            using (var input = new StreamReader(Console.OpenStandardInput(), utf8))
                while (reply != null)
                {
                    output.WriteLine(reply);
                    output.Flush();
                    string line = input.ReadLine();
                    reply = line == null ? null : Answer(bot, Json.Read(line));
                }
        }

        static string Hello(Bot bot, string endpoint, string token)
        {
            if (endpoint != "stdio:")
                throw new Refused("this kit talks over stdio: write transport = \"stdio\" in bot.toml");
            string features = bot.WantsEvents ? "" : ",\"features\":[\"no_events\"]";
            return string.Format("{{\"type\":\"hello\",\"protocol\":[1],\"token\":{0},\"sdk\":{1}{2}}}",
                Json.Quote(token), Json.Quote(Sdk), features);
        }

        /// What the bot replies to a message; null: it is to exit.
        static string Answer(Bot bot, object message)
        {
            string type = Json.As<Head>(message).type;
            switch (type)
            {
                case "start": return Started(bot, Json.As<Start>(message));
                case "turn": return Moved(bot, Json.As<Turn>(message));
                case "end": return Ended(bot, Json.As<End>(message));
                case "bye": return null;
                case "error": throw Complaint(Json.As<Error>(message));
                default: throw new Refused("arena: a message of type " + type + " is not known to " + Sdk);
            }
        }

        class Head
        {
            public string type { get; set; }
        }

        static Refused Complaint(Error error)
        {
            return new Refused("arena: " + error.code + " at " + error.path + ": " + error.detail);
        }

        static string Started(Bot bot, Start start)
        {
            bot.Rng = new Random(Convert.ToInt32(start.bot_seed.Substring(0, 8), 16));
            bot.Started(start);
            return Ready(start.game_id);
        }

        static string Moved(Bot bot, Turn turn)
        {
            Choice choice = bot.Choose(turn);
            if (!turn.legal.Contains(choice.Action)) // sent all the same: the referee is the judge
                Console.Error.WriteLine("not legal: " + choice.Action + "; legal: " + string.Join(" ", turn.legal));
            string note = choice.Note == null ? "" : ",\"note\":" + Json.Quote(choice.Note);
            return string.Format("{{\"type\":\"move\",\"game_id\":{0},\"turn\":{1},\"action\":{2}{3}}}",
                Json.Quote(turn.game_id), turn.turn, Json.Quote(choice.Action), note);
        }

        static string Ended(Bot bot, End end)
        {
            bot.Ended(end);
            return Ready(end.game_id);
        }

        static string Ready(string game_id)
        {
            return string.Format("{{\"type\":\"ready\",\"game_id\":{0}}}", Json.Quote(game_id));
        }
    }
}
