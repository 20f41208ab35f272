import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ModelScript } from '../../support/model-server.ts'
import { brokenProgram, notesSpec, rightProgram } from './notes.ts'
import type { Kind, Scene } from './scene.ts'

/** Kinds of agents that act themselves. */
const ownHanded: readonly Kind[] = ['dishonest', 'unseen', 'honest']

const definition = z.object({
  does: z.string().regex(/^[A-Z].*\.$/),
  as: z.enum(['claude', 'codex', 'command']),
  spec: z.string().optional(),
  front: z.array(z.string()).default([]),
  files: z.record(z.string(), z.string()).default({}),
  isAlone: z.boolean().default(false),
  isMissing: z.boolean().default(false),
  script: z.custom<ModelScript>((value) => typeof value === 'function').optional(),
})

/** Every agent of these kinds, by kind and name. */
export async function loadScenes(kinds = ownHanded): Promise<readonly Scene[]> {
  const files = kinds.flatMap((kind) => {
    const folder = fileURLToPath(new URL(`../${kind}/`, import.meta.url))
    return readdirSync(folder).map((file) => ({ kind, name: file.replace(/\.\w+$/, ''), file: `${folder}${file}` }))
  })
  return Promise.all(
    files.map(async ({ kind, name, file }) => {
      const module: { readonly default: unknown } = await import(file)
      const { script, ...read } = definition.parse(module.default)
      return { ...read, kind, name, ...(script && { script }) }
    }),
  )
}

/** Files of one agent by path in the project: its spec and its product, in a folder of its own. */
export function filesOf({
  name,
  kind,
  as,
  spec = notesSpec,
  front = [],
  files,
  script,
}: Scene): Record<string, string> {
  const allow = script && !front.some((line) => line.startsWith('allow:')) ? ['allow: [Bash]'] : []
  const program = kind === 'honest' || kind === 'by-mdtest' ? rightProgram : brokenProgram
  const cwd = front.some((line) => line.startsWith('cwd:')) ? [] : [`cwd: ${folderOf(name)}`]
  const head = [`agent: ${as}`, ...cwd, ...allow, ...front].join('\n')
  const own = { 'notes.mjs': program, ...files, [`${name}.test.md`]: `---\n${head}\n---\n\n${spec}` }
  return Object.fromEntries(Object.entries(own).map(([path, text]) => [`${folderOf(name)}/${path}`, text]))
}

/** Path of its spec in the project. */
export function specOf(name: string): string {
  return `${folderOf(name)}/${name}.test.md`
}

function folderOf(name: string): string {
  return `specs/${name}`
}
