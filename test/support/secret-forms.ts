import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A value that looks different in every encoding. */
export const secret = 's3cr"t/+ü? value-42'

/** Halves of all forms of a value: a border between two chunks may cut it. Of base64, the part that depends on the value alone. */
function halvesOf(value: string): readonly string[] {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  )
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [value, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(value), ...base64]
  return forms.flatMap((form) => [form.slice(0, form.length / 2), form.slice(form.length / 2)])
}

/** Files below a folder, and texts by name, that hold a value in any form; the named files are left out. */
export async function findSecret(
  value: string,
  {
    folder,
    texts = {},
    except = [],
  }: {
    readonly folder: string
    readonly texts?: Readonly<Record<string, string>>
    readonly except?: readonly string[]
  },
): Promise<readonly string[]> {
  const forms = halvesOf(value)
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => !name.startsWith('node_modules') && !except.includes(name),
  )
  const found: string[] = []
  for (const name of names) {
    const file = join(folder, name)
    if (!(await lstat(file)).isFile()) continue
    const text = await readFile(file, 'utf8')
    if (forms.some((form) => text.includes(form))) found.push(name)
  }
  return [...found, ...Object.keys(texts).filter((name) => forms.some((form) => texts[name]?.includes(form)))]
}
