import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../src/agents/agent.ts'
import { agents, codingAgentNames } from '../../src/agents/registry.ts'
import { resolveAgent, resolveSpecAgent } from '../../src/agents/resolve-agent.ts'
import { formatHelp, parseFlags } from '../../src/commands/common/define-command.ts'
import { fixSyntax } from '../../src/commands/fix/flags.ts'
import { gateSyntax } from '../../src/commands/gate/flags.ts'
import { gateConfigSchema } from '../../src/commands/project-config/gate-config.ts'
import { runSyntax } from '../../src/commands/run/flags.ts'
import { resolveOptions } from '../../src/plan/options/option-defaults.ts'
import { agentRequest, handedOver, testAgent } from './test-agent.ts'

const repository = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8')
const streams = readdirSync(new URL('fixtures/agent-streams/', repository))

test('names are used once, and are none that stand for something else', () => {
  const names = agents.map(({ name }) => name)
  expect(new Set([...names, 'auto', 'command', 'none']).size).toBe(names.length + 3)
})

for (const agent of agents) {
  const { name, bin, worksOnCode } = agent

  // Its prompt may be a part of what is handed over in another way.
  if (worksOnCode) testAgent(name, () => agent)

  describe(`the registered agent ${name}`, () => {
    const eventsOf = (kind: string): readonly (readonly AgentEvent[])[] => {
      const files = streams.filter((file) => file.startsWith(`${name}-`) && file.endsWith(`${kind}.jsonl`))
      expect(files, `Add fixtures/agent-streams/${name}-${kind}.jsonl: ${meanings[kind]}.`).not.toEqual([])
      return files.map((file) =>
        read(`fixtures/agent-streams/${file}`)
          .split('\n')
          .filter((line) => line !== '')
          .flatMap((line) => agent.readEvents(line)),
      )
    }

    test('is told apart from others by its program, which no shell starts', () => {
      const prompt = 'a "b" $(c) `d`; e'
      const command = agent.buildCommand(agentRequest({ prompt }))
      const { argv, cwd, input } = command
      expect(cwd).toBe('/project')
      // Where a program of ours leads it, nothing of the task stands in a command line.
      expect(argv.filter((word) => word.includes(prompt))).toEqual(worksOnCode && input === undefined ? [prompt] : [])
      expect(worksOnCode ? handedOver(command) : { program: argv[0] }).toMatchObject({
        program: bin,
        ...(worksOnCode && { prompt }),
      })
    })

    test('a session that passes opens, calls tools, tells what it used, and ends well', () => {
      for (const events of eventsOf('pass')) {
        expect(events[0]?.type).toBe('opened')
        expect(events.at(-1)).toEqual({ type: 'end', isError: false })
        expect(events.filter(({ type }) => type === 'error' || type === 'unknown')).toEqual([])
        const called = events.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
        const answered = events.flatMap((event) => (event.type === 'tool-result' ? [event.id] : []))
        expect(called.length).toBeGreaterThan(1)
        expect(new Set(answered)).toEqual(new Set(called))
        const usage = events.findLast((event) => event.type === 'usage')
        expect(usage?.inputTokens).toBeGreaterThan(0)
        expect(usage?.costUsd !== undefined).toBe(agent.tellsCost ?? false)
      }
    })

    test.each([
      ['401', ['auth']],
      ['500', ['model', 'other']],
    ])('a session whose provider answers %s ends badly because of one of %j', (kind, causes) => {
      for (const events of eventsOf(kind)) {
        const errors = events.flatMap((event) => (event.type === 'error' ? [event.cause] : []))
        expect([...new Set(errors)]).toEqual([expect.toBeOneOf([...causes])])
        expect(events.at(-1)).toEqual({ type: 'end', isError: true })
      }
    })

    test.runIf(worksOnCode)('a command that fails has its exit code', () => {
      for (const events of eventsOf('command-fails')) {
        const codes = events.flatMap((event) => (event.type === 'tool-result' ? [event.exitCode] : []))
        expect(codes).toContain(3)
      }
    })

    test('what is refused was called', () => {
      for (const events of ['pass', '401', '500'].flatMap(eventsOf)) {
        expect(events.filter(({ type }) => type === 'denial')).toEqual([])
      }
      const denied = streams.includes(`${name}-denied.jsonl`) ? eventsOf('denied').flat() : []
      const called = denied.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
      const refused = denied.flatMap((event) => (event.type === 'denial' ? [event.id] : []))
      expect(refused.filter((id) => id === undefined || !called.includes(id))).toEqual([])
      expect(refused.length > 0).toBe(denied.length > 0)
    })

    test('is found by its name, and its absence says how to install it', () => {
      const path = mkdtempSync(join(tmpdir(), 'mdt-agent-'))
      onTestFinished(() => rmSync(path, { recursive: true }))
      const where = { path, cwd: path }
      if (!isAbsolute(bin)) {
        const missing = resolveAgent(name, where)
        expect(!missing.ok && missing.error).toMatchObject({
          code: 'AGENT_NOT_FOUND',
          message: expect.stringContaining(agent.install ?? bin),
        })
        writeFileSync(join(path, bin), '#!/bin/sh\n', { mode: 0o755 })
      }
      expect(resolveAgent(name, where)).toMatchObject({ ok: true, agent: { name } })
      expect(resolveSpecAgent(name, { option: 'none', isCodeAlone: false, ...where })).toMatchObject({
        ok: true,
        agent: { name },
      })
      if (worksOnCode) expect(resolveAgent('auto', where)).toMatchObject({ ok: true, agent: { name } })
    })

    test('is an option, a flag and a key of front matter, and help names it', () => {
      expect(resolveOptions({ agent: name }).agent).toBe(name)
      expect(parseFlags(['--agent', name], runSyntax).values.agent).toBe(name)
      expect(JSON.parse(read('schemas/front-matter.json'))).toMatchObject({
        properties: { agent: { enum: expect.arrayContaining([name]) } },
      })
      expect(lineWith(formatHelp(runSyntax), '--agent')).toContain(name)
    })

    test.runIf(worksOnCode)('is one that may be asked to fix something', () => {
      expect(codingAgentNames).toContain(name)
      expect(parseFlags(['--agent', name], gateSyntax).values.agent).toBe(name)
      expect(parseFlags(['--agent', name], fixSyntax).values.agent).toBe(name)
      expect(gateConfigSchema.parse({ commands: {}, agent: name }).agent).toBe(name)
      expect(lineWith(formatHelp(gateSyntax), '--agent')).toContain(name)
      expect(lineWith(formatHelp(fixSyntax), '--agent')).toContain(name)
    })
  })
}

const meanings: Readonly<Record<string, string>> = {
  pass: 'what it prints in a session that carries out a spec with tools',
  '401': 'what it prints where its provider answers 401',
  '500': 'what it prints where its provider answers 500',
  'command-fails': 'what it prints where a command of the spec ends with exit code 3',
}

/** The first line that begins a list entry or a flag with one of these. */
function lineWith(text: string, ...words: readonly string[]): string {
  // In help, a summary goes on below its flag.
  const lines = text.replaceAll(/\n {20,}/g, ' ').split('\n')
  return lines.find((line) => /^\s*-/.test(line) && words.some((word) => line.includes(word))) ?? ''
}
