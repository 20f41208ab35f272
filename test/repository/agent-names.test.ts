import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agents } from '../../src/agents/registry.ts'
import { readImports, withoutComments } from './read-imports.ts'
import { root, trackedFiles } from './tracked-files.ts'

const names = agents.map(({ name }) => name)
const codingNames = agents.filter(({ worksOnCode }) => worksOnCode).map(({ name }) => name)

/** Code, without comments, by path. */
const sources = trackedFiles()
  .filter((file) => /^src\/.*\.ts$/.test(file))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(root, file), 'utf8')) }))
const outside = sources.filter(({ file }) => !file.startsWith('src/agents/'))

const filesWith = (pattern: RegExp, among = outside): readonly string[] =>
  among.filter(({ code }) => pattern.test(code)).map(({ file }) => file)

/** What people read of agents that they know, where no registry is at hand, or where a notation has its name. */
const texts: Readonly<Record<string, string>> = {
  'src/commands/init/init.ts': 'a text of the example spec',
  'src/commands/project-config/gate-config.ts': 'the notation of permission rules is called so',
  'src/spec/front-matter/front-matter-keys.ts': 'an example in a message: the room reads specs and knows no agents',
}

/** Agents that speak ACP are data, all in one place. */
const acpData = 'src/agents/acp/acp-agents.ts'

test('outside of its adapter nobody speaks of an agent that works on code, but for texts', () => {
  const found = filesWith(new RegExp(String.raw`\b(?:${codingNames.join('|')})\b`, 'i'))
  expect(found.toSorted()).toEqual(Object.keys(texts))
})

test('the name of an agent that works on code is a value where it is made alone', () => {
  const others = (name: string): typeof sources =>
    sources.filter(({ file }) => !(file in texts || file === acpData || file.startsWith(`src/agents/${name}/`)))
  expect(codingNames.flatMap((name) => filesWith(new RegExp(`['"\`]${name}['"\`]`), others(name)))).toEqual([])
})

test('nothing is decided by the name of an agent', () => {
  const word = String.raw`['"](?:${names.join('|')})['"]`
  const compared = new RegExp(String.raw`\b(?:agent|name|bin)\w* *[!=]==? *${word}|\bcase ${word}.*[aA]gent`)
  expect(filesWith(compared, sources)).toEqual([])
})

/** What an adapter has that any agent may need: a browser, which every agent can be given. */
const shared: Readonly<Record<string, string>> = {
  'browser/block-browser': 'the browser of blocks, which no agent drives',
  'browser/browser-settings': 'options of the package and of specs',
  'browser/browsers': 'what the agents of one run share',
  'browser/playwright-package': 'whether `requires: [browser]` is met',
  'browser/quotable-page-text': 'what browser tools of any agent print',
  'browser/saved-logins': 'users of a spec, whoever drives the browser',
}

test('adapters are reached by the registry, but for what any agent may need', () => {
  const adapter = new RegExp(String.raw`/agents/((?:${names.join('|')}|acp|command)/.+)\.ts$`)
  const imported = outside.flatMap(({ code }) =>
    readImports(code).flatMap(({ specifier }) => adapter.exec(specifier)?.[1] ?? []),
  )
  expect([...new Set(imported)].toSorted()).toEqual(Object.keys(shared))
})
