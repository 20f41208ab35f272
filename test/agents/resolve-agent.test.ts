import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { resolveAgent } from '../../src/agents/resolve-agent.ts'
import type { AgentChoice } from '../../src/agents/resolve-agent.ts'
import { findOnPath } from '../../src/system/files/paths.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mdt-path-'))
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

/** A folder under the root that holds these programs. */
function folder(name: string, ...programs: readonly string[]): string {
  const made = join(root, name)
  mkdirSync(made, { recursive: true })
  for (const program of programs) writeFileSync(join(made, program), '#!/bin/sh\n', { mode: 0o755 })
  return made
}

describe('findOnPath', () => {
  test('takes the first entry that holds the program', () => {
    const [a, b] = [folder('a', 'tool'), folder('b', 'tool')]
    expect(findOnPath('tool', { path: `${root}/none:${b}:${a}`, cwd: root })).toBe(join(b, 'tool'))
  })

  test('passes over a folder, a file that is not executable and a link to nothing of that name', () => {
    const [a, b, c, d] = [folder('a/tool'), folder('b', 'tool'), folder('c'), folder('d', 'tool')]
    chmodSync(join(b, 'tool'), 0o644)
    symlinkSync(join(root, 'gone'), join(c, 'tool'))
    expect(findOnPath('tool', { path: [join(a, '..'), b, c, d].join(':'), cwd: root })).toBe(join(d, 'tool'))
  })

  test('follows a link to a program', () => {
    const a = folder('a', 'real')
    symlinkSync('real', join(a, 'tool'))
    expect(findOnPath('tool', { path: a, cwd: root })).toBe(join(a, 'tool'))
  })

  test('takes an empty entry and a relative one from the directory the program is started in', () => {
    const here = folder('here', 'tool')
    folder('here/bin', 'other')
    expect(findOnPath('tool', { path: '/none:', cwd: here })).toBe(join(here, 'tool'))
    expect(findOnPath('other', { path: 'bin', cwd: here })).toBe(join(here, 'bin/other'))
  })

  test('takes a name with a slash as it is', () => {
    const a = folder('a', 'tool')
    expect(findOnPath('./tool', { path: '', cwd: a })).toBe(join(a, 'tool'))
    expect(findOnPath(join(a, 'tool'), { path: '', cwd: '/' })).toBe(join(a, 'tool'))
    expect(findOnPath('a/none', { path: a, cwd: root })).toBeUndefined()
  })

  test('finds nothing for an empty name', () => {
    expect(findOnPath('', { path: folder('a', 'tool'), cwd: root })).toBeUndefined()
  })
})

describe('resolveAgent', () => {
  const resolve = (choice: AgentChoice, ...programs: readonly string[]): string => {
    const path = folder('bin', ...programs)
    const resolved = resolveAgent(choice, { path, cwd: root })
    return resolved.ok ? `${resolved.agent.name} at ${resolved.file.slice(path.length + 1)}` : resolved.error.code
  }

  test('auto takes claude, then codex', () => {
    expect(resolve('auto')).toBe('AGENT_NOT_FOUND')
    expect(resolve('auto', 'codex')).toBe('codex at codex')
    expect(resolve('auto', 'claude')).toBe('claude at claude')
  })

  test('an agent that was named is never replaced by the other', () => {
    expect(resolve('codex', 'claude')).toBe('AGENT_NOT_FOUND')
    expect(resolve('claude')).toBe('claude at claude')
  })

  test('a command is looked up like the others', () => {
    expect(resolve({ command: ['my-agent', '{prompt}'] })).toBe('AGENT_NOT_FOUND')
    expect(resolve({ command: ['my-agent', '{prompt}'] }, 'my-agent')).toBe('command at my-agent')
  })

  test.each<[AgentChoice]>([['auto'], ['claude'], ['codex'], [{ command: ['my-agent'] }]])(
    'says for %j what to install',
    (choice) => {
      const resolved = resolveAgent(choice, { path: '', cwd: root })
      expect(resolved.ok ? '' : resolved.error.message).toMatchSnapshot()
    },
  )
})
