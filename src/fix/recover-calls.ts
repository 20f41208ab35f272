import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCall } from '../agents/read-session.ts'
import type { Loop } from './perform-act.ts'

/** Counts what the calls of an act cost that was begun and not finished: their folders tell as much as is known. */
export function recoverCalls({ keeper, tools, store, agent }: Loop): void {
  const folder = join(store.folder, 'calls')
  const prefix = `${keeper.state.history.length + 1}-`
  const calls = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(prefix)) : []
  for (const call of calls) {
    keeper.spend({ call, ...readCall(join(folder, call), { agent: agent(), env: tools.env }) })
  }
}
