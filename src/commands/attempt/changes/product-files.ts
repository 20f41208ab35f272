import { parse } from 'node:path'
import { isTestFile } from './protected-files.ts'

/**
 * What a file can be by its name: code of a product, a text that it is made of (templates, styles, queries), data or
 * pictures, a text for people, a list of dependencies; else nothing that an attempt may change unasked.
 */
export type ProductKind = 'code' | 'template' | 'data' | 'document' | 'dependencies'

const extensions: Readonly<Record<Exclude<ProductKind, 'dependencies'>, ReadonlySet<string>>> = {
  code: words(
    `ts tsx mts cts js jsx mjs cjs vue svelte astro py pyx go rs java kt scala groovy clj cljs cljc c h cc cpp cxx hpp hh
     m mm swift cs fs vb rb php pl pm lua ex erl hrl hs ml mli dart elm zig nim jl r`,
  ),
  template: words(
    `css scss sass less styl html htm xhtml ejs hbs mustache pug njk jinja jinja2 j2 tmpl tpl liquid twig erb haml slim
     razor cshtml xaml sql graphql gql proto thrift avsc wgsl glsl mdx`,
  ),
  data: words(
    `json json5 jsonl yaml yml toml csv tsv xml txt properties po pot mo ftl strings resx xlf arb svg png jpg jpeg gif
     webp avif ico icns bmp mp3 mp4 webm wav ogg pdf woff woff2 ttf otf wasm bin dat`,
  ),
  document: words('md markdown rst adoc'),
}

const dependencyFiles: ReadonlySet<string> = words(
  `package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb go.mod go.sum Cargo.toml
   Cargo.lock pyproject.toml setup.cfg poetry.lock uv.lock pdm.lock Pipfile Pipfile.lock Gemfile Gemfile.lock composer.json
   composer.lock mix.lock`,
)
const requirements = /^requirements[\w.-]*\.txt$/

/** Folders of what tests compare with or work on. They are no product, even where product code imports from there. */
const judgingFolder = new RegExp(
  `(?:^|/)(?:${[
    String.raw`__[\w-]+__|fixtures?|testdata|test[-_](?:data|resources|assets|files)|goldens?|snapshots?|expected|expectations?`,
    String.raw`baselines?|approvals?|approved|cassettes|recordings|node_modules|site-packages|third[-_]party|patches`,
  ].join('|')})/`,
  'i',
)

/** Folders of helpers and scripts, unless the product takes code from there. */
const helpingFolder =
  /(?:^|\/)(?:\.[^/]+|scripts?|tools?|tooling|hack|ci|harness|testing|test[-_]?(?:utils?|helpers?|support|lib)|mocks?|stubs|fakes|vendor)\//i

/** The same by the name of a file, and configuration of any tool. */
const helpingName = new RegExp(
  [
    String.raw`\.(?:config|conf|setup|workspace|preset|fixtures?|mocks?|stubs?|golden|expected)\.\w+$|^\..|rc\.[cm]?[jt]s$`,
    String.raw`^(?:global[-_.]?)?set-?up(?:[-_.]?\w*tests?\w*)?\.\w+$|^test[-_.]?(?:setup|helpers?|utils?|support|runner)\b`,
    String.raw`(?:^|[-_.])(?:test-?(?:setup|helpers?|utils?|runner|environment)|reporter|noxfile|tasks|fabfile|dodo|setup|build)\.\w+$`,
    String.raw`^(?:gulpfile|gruntfile|webpack|rollup|rakefile|jenkinsfile|dockerfile)\b|\.gradle(?:\.kts)?$|\.exs$`,
  ].join('|'),
  'i',
)

/** Top folders of data that products have beside their code. */
const dataFolder =
  /^(?:(?:packages|apps|services|libs)\/[^/]+\/)?(?:locales?|i18n|lang|translations|messages|public|static|assets|templates|views|migrations|resources|content|styles)\//i

/** What a file is by its name. Pure. */
export function productKind(path: string): ProductKind | undefined {
  const { base, ext } = parse(path)
  if (dependencyFiles.has(base) || requirements.test(base)) return 'dependencies'
  const extension = ext.slice(1).toLowerCase()
  const kinds = ['code', 'template', 'data', 'document'] as const // names of kinds
  return kinds.find((kind) => extensions[kind].has(extension))
}

/** Whether what tests compare with is where this file is. Pure. */
export function isForTests(path: string): boolean {
  return judgingFolder.test(path) || isTestFile(path) || isTestFile(path.toLowerCase())
}

/** Whether it looks like a helper, a script or configuration, which a product need not have. Pure. */
export function looksLikeHelper(path: string): boolean {
  return helpingFolder.test(path) || helpingName.test(parse(path).base)
}

/** Folders that have code of a product, or such below: that is what a new file can be beside. Pure. */
export function productFolders(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    if (productKind(path) === 'code' && !isForTests(path) && !looksLikeHelper(path)) folders.add(parse(path).dir)
  }
  return folders
}

/** Whether a new file has its place among code of a product: in a folder that has some, there or below, or below such a one. Pure. */
export function isAmongProduct(path: string, folders: ReadonlySet<string>): boolean {
  const { dir } = parse(path)
  if (folders.has('') || folders.has(dir)) return true
  const parts = dir.split('/')
  return parts.some((_, index) => hasIn(parts.slice(0, index + 1).join('/'), folders))
}

/** Whether data are where products have them. Pure. */
export function isProductData(path: string, folders: ReadonlySet<string>): boolean {
  const { dir } = parse(path)
  return dataFolder.test(path) || (dir !== '' && isBelowProduct(dir, folders))
}

/** A folder of code, one above or below it, but not the root. */
function isBelowProduct(dir: string, folders: ReadonlySet<string>): boolean {
  const parts = dir.split('/')
  return parts.some((_, index) => folders.has(parts.slice(0, index + 1).join('/'))) || hasIn(dir, folders)
}

function hasIn(dir: string, folders: ReadonlySet<string>): boolean {
  return dir !== '' && [...folders].some((folder) => folder === dir || folder.startsWith(`${dir}/`))
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean))
}
