import { constants, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync, type BigIntStats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { groundAt } from '../../../system/files/trusted-folder.ts'
import { makeFolder, replaceFile } from '../../../system/files/write-file.ts'
import { askGit, createGit, type Git } from '../../../system/git/git.ts'
import type { LiveTrees } from '../../../system/process/launcher/live-trees.ts'

export interface FoundFile {
  /** Relative to the root, with slashes. Each character is one byte (latin1): file names may be invalid UTF-8. */
  readonly path: string
  /** Type and permissions, as in `stat`. The list includes empty folders and pipes, which git cannot store. */
  readonly mode: number
  /** Changes whenever the file is written. It contains `ctime`, which programs cannot set. */
  readonly stamp: string
}

export function kindOf({ mode }: Pick<FoundFile, 'mode'>): number {
  return mode & constants.S_IFMT
}

export function pathBytes(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])
}

export function shownPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8')
}

const rulesSchema = z.object({
  texts: z.record(z.string(), z.string()),
  /** Listed even if a rule ignores them: tracked files, and tool folders that existed at the first call. */
  kept: z.array(z.string()),
})
type Rules = z.infer<typeof rulesSchema>

/** Tools put a `.gitignore` into these folders. No runner or compiler loads code from there. */
const toolFolders: ReadonlySet<string> = new Set(
  `.venv venv .tox .nox .pytest_cache .ruff_cache .mypy_cache .hypothesis .ipynb_checkpoints .gradle .dart_tool .next
   .nuxt .turbo .nx .cache .parcel-cache .vite .angular .svelte-kit .yarn .pnpm-store`.split(/\s+/),
)
const ownFolder = '.mdtest'
const rulesFile = '.gitignore'
const otherRules = '.git/info/exclude'

export interface ListedProject {
  readonly root: string
  readonly folder: string
  /** Makes temporary folders, which are removed even if mdtest is killed. */
  readonly trees: Pick<LiveTrees, 'makeTempDir'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly hasGit: boolean
}

/** Always uses the ignore rules of the first call. With new rules, an agent could hide files. */
export class FileLister {
  readonly #project: ListedProject
  readonly #git: Git
  #rules: Rules | undefined

  constructor(project: ListedProject) {
    this.#project = project
    this.#git = createGit(project.root, project.env)
  }

  async list(): Promise<readonly FoundFile[]> {
    const { root, folder, trees, env, hasGit } = this.#project
    if (!hasGit)
      return await this.#walk(async (entries) => entries.filter(({ path }) => basename(path) !== 'node_modules'))
    const file = join(folder, 'ignore-rules.json')
    const kept = await readFile(file, 'utf8').catch(() => undefined)
    const known = this.#rules ?? (kept === undefined ? undefined : rulesSchema.parse(JSON.parse(kept)))
    const rules = known ?? { texts: { [otherRules]: await this.#otherRules() }, kept: await this.#trackedFiles() }
    const place = trees.makeTempDir()
    const gitDir = join(place, '.git')
    const git = createGit(place, env, { gitDir, commonDir: gitDir, workTree: place })
    await createGit(place, env)(['init', '--quiet', '--template=', place])
    for (const [path, text] of Object.entries(rules.texts)) writeText(place, path, text)
    writeText(place, `${ownFolder}/${rulesFile}`, '*\n')
    const files = await this.#walk(async (entries) => {
      if (known === undefined) {
        for (const { path } of entries.filter(({ path, stats }) => basename(path) === rulesFile && stats.isFile())) {
          rules.texts[path] = readFileSync(pathBytes(root, path), 'latin1')
          writeText(place, path, rules.texts[path])
        }
      }
      const ignored = await ignoredAmong(entries, git)
      const isKept = (path: string): boolean => rules.kept.some((each) => `${each}/`.startsWith(`${path}/`))
      const left = entries.filter(({ path }) => !ignored.has(path) || isKept(path))
      if (known === undefined) rules.kept.push(...left.map(({ path }) => path).filter(isToolFolder))
      return left.filter(({ path }) => isListed(path, { root, rules }))
    })
    this.#rules = rules
    const ground = groundAt(folder)
    makeFolder(ground, folder)
    replaceFile(ground, file, { content: JSON.stringify(rules), hasOneWriter: true })
    return files
  }

  async #walk(choose: (entries: readonly Found[]) => Promise<readonly Found[]>): Promise<readonly FoundFile[]> {
    const files: Found[] = []
    let folders: readonly string[] = ['']
    while (folders.length > 0) {
      const all = folders.map((folder) => entriesIn(this.#project.root, folder))
      const inFolders = new Set(all.flat().map(({ path }) => dirname(path)))
      const empty = folders.filter((folder) => folder !== '' && !inFolders.has(folder))
      files.push(...empty.flatMap((folder) => found(this.#project.root, folder)))
      const chosen = await choose(all.flat().filter(({ path }) => basename(path) !== '.git' && path !== ownFolder))
      files.push(...chosen.filter(({ stats }) => stats.isFile() || stats.isSymbolicLink() || stats.isFIFO()))
      folders = chosen.flatMap(({ path, stats }) => (stats.isDirectory() ? [path] : []))
    }
    return files.map(({ path, stats: { mode, ino, ctimeNs, size } }) => ({
      path,
      mode: Number(mode),
      stamp: `${ino} ${ctimeNs} ${size} ${mode}`,
    }))
  }

  /** Ignore rules of the user, then those of the repository: git uses the last rule that matches. */
  async #otherRules(): Promise<string> {
    const { root, env } = this.#project
    const ask = async (...args: string[]): Promise<string> => askGit(this.#git, ...args).catch(() => '')
    const configHome = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config') // empty means unset
    const common = (await ask('config', '--type=path', '--get', 'core.excludesFile')) || join(configHome, 'git/ignore')
    const own = await ask('rev-parse', '--git-path', 'info/exclude')
    const texts = [common, own].map((file) => readFile(resolve(root, file), 'latin1').catch(() => ''))
    return (await Promise.all(texts)).join('\n')
  }

  async #trackedFiles(): Promise<string[]> {
    const output = await this.#git(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'])
    return output.toString('latin1').split('\0').filter(Boolean)
  }
}

interface Found {
  readonly path: string
  readonly stats: BigIntStats
}

function entriesIn(root: string, folder: string): readonly Found[] {
  const names = readdirSync(pathBytes(root, folder), { encoding: 'latin1' })
  return names.flatMap((name) => found(root, folder === '' ? name : `${folder}/${name}`))
}

function found(root: string, path: string): readonly Found[] {
  const stats = lstatSync(pathBytes(root, path), { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? [] : [{ path, stats }]
}

function isToolFolder(path: string): boolean {
  return toolFolders.has(basename(path))
}

/** Leaves out a new tool folder that contains a `.gitignore`. */
function isListed(path: string, { root, rules }: { root: string; rules: Rules }): boolean {
  return !isToolFolder(path) || rules.kept.includes(path) || found(root, `${path}/${rulesFile}`).length === 0
}

async function ignoredAmong(found: readonly Found[], git: Git): Promise<ReadonlySet<string>> {
  // Ask for one path that is certainly ignored, because `check-ignore` fails if no path is ignored.
  const asked = [`${ownFolder}/any`, ...found.map(({ path, stats }) => (stats.isDirectory() ? `${path}/` : path))]
  const stdin = Buffer.from(asked.map((path) => `${path}\0`).join(''), 'latin1')
  const output = await git(['check-ignore', '-z', '--stdin', '--no-index'], { stdin })
  return new Set(
    output
      .toString('latin1')
      .split('\0')
      .map((path) => path.replace(/\/$/, '')),
  )
}

function writeText(place: string, path: string, text: string): void {
  const file = pathBytes(place, path)
  mkdirSync(pathBytes(place, dirname(path)), { recursive: true })
  writeFileSync(file, text, 'latin1')
}
