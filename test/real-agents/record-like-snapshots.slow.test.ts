import { describe, expect, test } from 'vitest'
import { reportSpec } from '../support/scripts/report-spec.ts'
import { rightProgram } from './notes-project.ts'
import { claude, createRealProject, skipReason } from './real-project.ts'

const spec = (note: string): string => `---
cwd: copy
allow: ['Bash(node notes.mjs *)']
---

# Notes

## Add a note

Run \`node notes.mjs add ${note}\`. It prints "added ${note}".

## List the notes

Run \`node notes.mjs list\`. It prints "${note}".
`

describe.skipIf(skipReason !== '')(`recordings of Vitest's own run${skipReason}`, () => {
  test('are written like snapshots: missing ones at once, stale ones with -u, none under CI', async () => {
    const options = { agent: claude.agent, recordings: true }
    const files = { 'notes.mjs': rightProgram, 'a.test.md': spec('milk'), 'b.test.md': spec('tea') }
    await using real = await createRealProject({ script: reportSpec, options, files })
    const { project, env, model } = real
    const inCi = await project.vitest(['run', 'b.test.md'], { env: { ...env, CI: 'true' } })
    expect(inCi.exitCode, inCi.all).toBe(0)
    expect(await project.read('b.recording.md').catch(() => 'none')).toBe('none')

    const first = await project.vitest(['run'], { env })
    expect(first.exitCode, first.all).toBe(0)
    expect(first.stdout).toMatch(/Snapshots +4 written/)
    expect(first.stdout).toContain('recorded: a.recording.md')
    const [a, b] = [await project.read('a.recording.md'), await project.read('b.recording.md')]

    const asked = model.conversations.length
    await project.write('a.test.md', spec('bread'))
    const stale = await project.vitest(['run'], { env })
    expect(stale.exitCode, stale.all).toBe(0)
    expect(stale.stdout).toContain(
      'not recorded: a.recording.md "Notes": it was recorded otherwise. Write it with `-u`.',
    )
    expect(model.conversations.length).toBeGreaterThan(asked)
    expect(await project.read('a.recording.md')).toBe(a)

    const updated = await project.vitest(['run', '-u'], { env })
    expect(updated.exitCode, updated.all).toBe(0)
    expect(updated.stdout).toMatch(/Snapshots +2 updated/)
    expect(await project.read('a.recording.md')).toContain('$ node notes.mjs add bread')
    expect(await project.read('b.recording.md')).toBe(b)
    expect(await real.leftovers()).toEqual([])
  })
})
