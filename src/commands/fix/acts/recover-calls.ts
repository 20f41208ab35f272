import { join } from 'node:path'
import { readCall } from '../../../agents/read-session.ts'
import { readFolderIfAny } from '../../../system/files/list-files.ts'
import type { Loop } from './perform-act.ts'

/** Counts what the calls of an act cost that was begun and not finished: their folders tell as much as is known. */
export function recoverCalls({ keeper, tools, store, agent }: Loop): void {
  const folder = join(store.folder, 'calls')
  const prefix = `${keeper.state.history.length + 1}-`
  const names = readFolderIfAny(store.ground, folder).map(({ name }) => name)
  for (const call of names.filter((name) => name.startsWith(prefix))) {
    keeper.spend({ call, ...readCall(join(folder, call), { agent: agent(), env: tools.env }) })
  }
}
