import { replayModes, reproduceModes } from '../recording/replay-mode.ts'
import { z } from 'zod'

import { acpAgentName } from './acp-agent.ts'
import { acpAgentSchema } from './acp-agent-schema.ts'

import { assurances } from '../../records/outcome.ts'
import { isInnerPath, tagPattern } from './value-forms.ts'
import { durationForm, durationPattern, parseDuration } from './parse-duration.ts'
import { executors, sandboxModes } from './executor.ts'
import { afterFailures } from './front-matter.ts'
import { mcpServersForm, mcpServersSchema } from './mcp-servers-schema.ts'
import { maxRepeats } from './repeats.ts'

// Patterns rather than functions where that can be: the JSON schema is made from them.
const text = z.string().regex(/\S/)
const duration = z
  .string()
  .regex(durationPattern)
  .transform((value, context) => {
    const durationMs = parseDuration(value)
    if (durationMs !== undefined) return durationMs
    context.addIssue('not a duration')
    return z.NEVER
  })

const runs = z.number().int().min(1).max(maxRepeats)
const runsForm = `a whole number from 1 to ${maxRepeats}`

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Each key of any spec but `dialect`: its schema, and in words what it accepts. */
export const commonKeys = {
  title: { schema: text, form: 'a text' },
  agent: {
    schema: z.union([text, acpAgentSchema.transform(acpAgentName)]),
    form: 'the name of an agent, such as `auto`, `claude` or `none`, or `{ acp: [program, arguments…] }`',
  },
  tags: {
    schema: z.array(z.string().regex(tagPattern)),
    form: 'a list such as `[smoke, slow]`, of names without spaces or `!*&|(),`',
  },
  timeout: { schema: duration, form: durationForm },
  'silence-timeout': { schema: duration, form: durationForm },
  'max-cost-usd': { schema: z.number().positive(), form: 'an amount in US dollars above 0, such as `0.5`' },
  'max-tokens': { schema: z.number().int().min(1), form: 'a whole number from 1' },
  include: { schema: z.array(text), form: 'a list of paths of markdown files, relative to this one' },
  requires: {
    schema: z.array(z.string().regex(/^(?:browser|(?:bin|env|mcp|agent):\S+)$/)),
    form: 'a list of `browser`, `bin:docker` (a program), `env:NAME` (a variable), `mcp:NAME` (a server) or `agent:auto`',
  },
  'side-effects': { schema: z.boolean(), form: '`true` or `false`' },
  repeats: { schema: runs, form: runsForm },
  require: {
    schema: runs,
    form: runsForm,
    hint: (value: unknown) => (isListOfTexts(value) ? ' Did you mean `requires`?' : ''),
  },
  'after-failure': { schema: z.enum(afterFailures), form: '`continue` or `stop`' },
  replay: { schema: z.enum(replayModes), form: '`auto`, `only` or `off`' },
  reproduce: { schema: z.literal(reproduceModes), form: '`true`, `warn` or `false`' },
  watch: {
    schema: z.array(z.string().regex(/^(?!\/|(?:\.\/)*\.\.(?:\/|$)).*\S/)),
    form: 'a list of file patterns such as `src/**`, relative to the suite root and inside it',
  },
  env: {
    schema: z.record(
      z.string().regex(/^[A-Za-z_]\w*$/),
      z.string().refine((value) => !value.includes('\0')),
    ),
    form: 'a mapping of variable names to texts, numbers or booleans',
  },
  cwd: { schema: z.string().refine(isInnerPath), form: '`root`, `temp`, `copy` or a path inside the suite root' },
  writes: { schema: z.array(text), form: 'a list of file patterns' },
  'base-url': {
    schema: z.string().regex(/^https?:\/\/[^\s/]\S*$/i),
    form: 'an address that begins with `http://` or `https://`',
  },
  'ignore-https-errors': { schema: z.boolean(), form: '`true` or `false`' },
  'mcp-servers': { schema: mcpServersSchema, form: mcpServersForm },
  allow: { schema: z.array(text), form: 'a list of permission rules such as `Bash(npm *)`' },
  network: { schema: z.boolean(), form: '`true` or `false`' },
  executor: { schema: z.enum(executors), form: '`auto`, `mdtest` or `agent`' },
  sandbox: { schema: z.enum(sandboxModes), form: '`auto`, `require` or `off`' },
  'min-assurance': {
    schema: z.enum(assurances),
    form: '`claimed`, `observed`, `evidenced`, `witnessed`, `reproduced` or `verified`',
  },
} as const
