// Every folder of src with a main.ts becomes one classic script in dist, every src/NAME.css a style sheet there, src/NAME.svg a copy:
// from file:// a browser loads neither modules nor data by fetch. dist/licenses.txt has the terms of all that was put
// in. With --check: is dist what the sources make?
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const check = process.argv.includes("--check");
const names = readdirSync(join(here, "src"), { withFileTypes: true });
const scripts = names.filter((one) => one.isDirectory() && existsSync(join(here, "src", one.name, "main.ts")));
const sheets = names.filter((one) => one.name.endsWith(".css"));

const { outputFiles, metafile } = await build({
  entryPoints: [
    ...scripts.map((one) => ({ in: join(here, "src", one.name, "main.ts"), out: one.name })),
    ...sheets.map((one) => ({ in: join(here, "src", one.name), out: one.name.replace(/\.css$/, "") })),
  ],
  outdir: join(here, "dist"),
  bundle: true,
  format: "iife",
  target: "es2022",
  minify: true,
  legalComments: "inline",
  charset: "utf8",
  metafile: true,
  write: false,
});

const packages = new Set(
  Object.values(metafile.outputs)
    .flatMap((one) => Object.keys(one.inputs).filter((path) => one.inputs[path].bytesInOutput))
    .flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path)?.[1] ?? []),
);
const licenses = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
});
const pictures = names.filter((one) => one.name.endsWith(".svg")).map((one) => one.name);
outputFiles.push(...pictures.map((name) => ({ path: join(here, "dist", name), text: readFileSync(join(here, "src", name), "utf8") })));
outputFiles.push({ path: join(here, "dist", "licenses.txt"), text: licenses.join(`\n${"-".repeat(80)}\n\n`) });

const stale = outputFiles.filter((one) => !existsSync(one.path) || readFileSync(one.path, "utf8") !== one.text);
if (!check) stale.forEach((one) => writeFileSync(one.path, one.text));
const said = stale.map((one) => one.path.slice(here.length + 1)).join(", ");
if (said) console.log(check ? `not what the sources make: ${said}; make web` : `written: ${said}`);
process.exitCode = check && said ? 1 : 0;
