// JSON to values and to the classes of types.cs, the same in Mono and in .NET, whose own readers differ.
namespace Kingmaker
{
    using System;
    using System.Collections;
    using System.Collections.Generic;
    using System.Globalization;
    using System.Text;

    /// <summary>
    /// Values are Dictionary&lt;string, object&gt;, object[], string, long, double, bool and null. Reads what is JSON,
    /// and is lenient with some that is not: its other end is the arena.
    /// </summary>
    public static class Json
    {
        /// <summary>The value that `text` holds. FormatException, with the place, where it is not JSON.</summary>
        public static object Read(string text) { return new Reader(text).Value(); }

        /// <summary>
        /// A value as a T: a class takes from an object the fields that it has, an array may hold anything, null is a
        /// number's 0.
        /// </summary>
        public static T As<T>(object value) { return (T)As(value, typeof(T)); }

        static object As(object value, Type type)
        {
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (value == null || type.IsInstanceOfType(value)) return value;
            if (type.IsArray) return Elements((object[])value, type.GetElementType());
            var fields = value as Dictionary<string, object>;
            if (fields == null) return Convert.ChangeType(value, type, CultureInfo.InvariantCulture);
            return typeof(IDictionary).IsAssignableFrom(type) ? Map(fields, type) : Filled(fields, type);
        }

        static Array Elements(object[] values, Type type)
        {
            var array = Array.CreateInstance(type, values.Length);
            for (int i = 0; i < values.Length; i++) array.SetValue(As(values[i], type), i);
            return array;
        }

        static object Map(Dictionary<string, object> fields, Type type)
        {
            var map = (IDictionary)Activator.CreateInstance(type);
            foreach (var field in fields) map[field.Key] = As(field.Value, type.GetGenericArguments()[1]);
            return map;
        }

        static object Filled(Dictionary<string, object> fields, Type type)
        {
            object filled = Activator.CreateInstance(type), value;
            foreach (var property in type.GetProperties())
                if (fields.TryGetValue(property.Name, out value))
                    property.SetValue(filled, As(value, property.PropertyType), null);
            return filled;
        }

        /// <summary>Text as a JSON string; nothing is escaped that need not be.</summary>
        public static string Quote(string text)
        {
            var quoted = new StringBuilder("\"");
            foreach (char c in text)
            {
                if (c < ' ') quoted.AppendFormat("\\u{0:x4}", (int)c);
                else if (c == '"' || c == '\\') quoted.Append('\\').Append(c);
                else quoted.Append(c);
            }
            return quoted.Append('"').ToString();
        }

        class Reader
        {
            readonly string text;
            int at;

            public Reader(string text) { this.text = text; }

            public object Value()
            {
                switch (Next())
                {
                    case '{': return Object();
                    case '[': return List();
                    case '"': return String();
                    case 't': return Word("true", true);
                    case 'f': return Word("false", false);
                    case 'n': return Word("null", null);
                    default: return Number();
                }
            }

            FormatException Wrong() { return new FormatException("not JSON at character " + at); }

            /// The character where the next thing begins.
            char Next()
            {
                while (at < text.Length && text[at] <= ' ') at++;
                if (at == text.Length) throw Wrong();
                return text[at];
            }

            bool Skip(char mark)
            {
                if (Next() != mark) return false;
                at++;
                return true;
            }

            void Expect(char mark)
            {
                if (!Skip(mark)) throw Wrong();
            }

            Dictionary<string, object> Object()
            {
                var fields = new Dictionary<string, object>();
                Expect('{');
                if (Skip('}')) return fields;
                do
                {
                    Next();
                    string name = String();
                    Expect(':');
                    fields[name] = Value();
                } while (Skip(','));
                Expect('}');
                return fields;
            }

            object[] List()
            {
                var values = new List<object>();
                Expect('[');
                if (Skip(']')) return values.ToArray();
                do values.Add(Value()); while (Skip(','));
                Expect(']');
                return values.ToArray();
            }

            object Word(string spelling, object value)
            {
                if (string.CompareOrdinal(text, at, spelling, 0, spelling.Length) != 0) throw Wrong();
                at += spelling.Length;
                return value;
            }

            object Number()
            {
                int from = at;
                while (at < text.Length && (char.IsDigit(text[at]) || "+-.eE".IndexOf(text[at]) >= 0)) at++;
                string digits = text.Substring(from, at - from);
                long whole;
                double number;
                var culture = CultureInfo.InvariantCulture;
                if (long.TryParse(digits, NumberStyles.AllowLeadingSign, culture, out whole)) return whole;
                if (double.TryParse(digits, NumberStyles.Float, culture, out number)) return number;
                throw Wrong();
            }

            string String()
            {
                Expect('"');
                int from = at;
                StringBuilder escaped = null;
                while (true)
                {
                    int stop = text.IndexOfAny(Marks, at);
                    if (stop < 0) throw Wrong();
                    at = stop + 1;
                    string plain = text.Substring(from, stop - from);
                    if (text[stop] == '"') return escaped == null ? plain : escaped.Append(plain).ToString();
                    escaped = (escaped ?? new StringBuilder()).Append(plain).Append(Escape());
                    from = at;
                }
            }

            static readonly char[] Marks = { '"', '\\' };

            /// What stands behind a backslash; of a surrogate pair one half, which the string joins.
            char Escape()
            {
                char letter = at < text.Length ? text[at++] : '\0';
                int known = "bfnrt".IndexOf(letter);
                if (letter != 'u') return known < 0 ? letter : "\b\f\n\r\t"[known];
                string digits = text.Substring(at, Math.Min(4, text.Length - at));
                int code;
                if (!int.TryParse(digits, NumberStyles.AllowHexSpecifier, null, out code)) throw Wrong();
                at += 4;
                return (char)code;
            }
        }
    }
}
