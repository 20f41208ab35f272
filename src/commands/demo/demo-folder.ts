import { mkdtempSync, realpathSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ownFile } from '../../system/own-package.ts'
import { removeTemporary } from '../../system/files/write-file.ts'

/** The same program, spec and script three times, each in a folder of its own. */
export type Scene = (typeof scenes)[number]

const scenes = ['works', 'forgets', 'lies'] as const // names, for a union

/** A temporary folder with all that is shown. */
export interface DemoFolder {
  /** Absolute path of the suite root. */
  readonly dir: string
  /** The text of the spec, as it is in the example. */
  readonly spec: string
  /** The line that the forgetful program lacks. */
  readonly savingLine: string
  remove(): void
}

const specName = 'tick-off.test.md'
const scriptName = 'tick-off.script.json'
const programName = 'notes.mjs'
const savingLine = 'store.write(notes.map((note, i) => (i === index ? { ...note, done: true } : note)))'

/**
 * Makes the folder from `examples/notes` of the package.
 * @param agent who carries out the specs in place of the script; the liar stays one
 */
export async function makeDemoFolder(agent: string | undefined): Promise<DemoFolder> {
  const ownFolder = dirname(ownFile('vitest-mdtest/package.json'))
  const example = join(ownFolder, 'examples/notes')
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mdtest-demo-')))
  const dir = join(base, 'notes')
  const remove = (): void => removeTemporary(base)
  try {
    await mkdir(join(dir, 'node_modules'), { recursive: true })
    // The configuration imports the package.
    await symlink(ownFolder, join(dir, 'node_modules/vitest-mdtest'))
    for (const name of ['vitest.config.mjs', 'scripted-agent.mjs']) await cp(join(example, name), join(dir, name))
    const texts = {
      program: await readFile(join(example, programName), 'utf8'),
      store: await readFile(join(example, 'store.mjs'), 'utf8'),
      spec: await readFile(join(example, 'specs', specName), 'utf8'),
      script: await readFile(join(example, 'specs', scriptName), 'utf8'),
    }
    for (const scene of scenes) await writeScene(join(dir, scene), { scene, agent, ...texts })
    return { dir, spec: texts.spec, savingLine, remove }
  } catch (error: unknown) {
    remove()
    throw error
  }
}

interface SceneParts {
  readonly scene: Scene
  readonly agent: string | undefined
  readonly program: string
  readonly store: string
  readonly spec: string
  readonly script: string
}

async function writeScene(folder: string, { scene, agent, program, store, spec, script }: SceneParts): Promise<void> {
  const keys = [`cwd: ${scene}`, ...(agent === undefined || scene === 'lies' ? [] : [`agent: ${agent}`])]
  await mkdir(folder)
  await writeFile(join(folder, programName), scene === 'forgets' ? without(program, savingLine) : program)
  await writeFile(join(folder, 'store.mjs'), store)
  await writeFile(join(folder, specName), spec.replace('---\n', `---\n${keys.join('\n')}\n`))
  await writeFile(join(folder, scriptName), scene === 'lies' ? pretending(script) : script)
}

function without(text: string, part: string): string {
  if (!text.includes(part)) throw new Error(`The example has no \`${part}\`.`)
  return text.replace(part, '')
}

function pretending(script: string): string {
  const acts: Readonly<Record<string, object>> = JSON.parse(script)
  const lies = Object.entries(acts).map(([title, act]) => [title, { ...act, pretend: true }])
  return `${JSON.stringify(Object.fromEntries(lies), undefined, 2)}\n`
}
