import { existsSync } from 'node:fs'
import { createSession, reopenSession, defaultSettings } from './loop/create-session.ts'
import type { FixTools } from './loop/fix-context.ts'
import { readSessionState, sessionFolder } from './session/session-store.ts'
import type { SessionState } from './session/session-state.ts'
import { workOnSession, type SessionEnd } from './loop/work-on-session.ts'
import { branchOf, keepWork, openWorkTree, type WorkTree } from './loop/work-trees.ts'
import { SetUpError } from '../common/set-up-error.ts'
import type { FixFlags } from './flags.ts'
import { Slots } from '../../system/concurrency.ts'

/** Goes on with a session, or begins one for each feature: one in place, several in work trees at once. */
export async function workOnFeatures(flags: FixFlags, root: string, tools: FixTools): Promise<readonly SessionEnd[]> {
  const { features, resume, settings, maxAgents } = flags
  if (resume !== undefined) return [await goOn(resume, { flags, root, tools })]
  const { runMark, now } = tools
  const begin = (feature: string): SessionState =>
    createSession({ feature, settings: { ...defaultSettings, ...settings, root }, runMark, now: now() })
  const [only] = features
  if (only !== undefined && features.length === 1) return [await workOnSession({ state: begin(only), root }, tools)]
  const slots = new Slots(maxAgents)
  const trees: { readonly state: SessionState; readonly tree: WorkTree }[] = []
  // One after the other: git locks what is common to all.
  for (const state of features.map(begin)) {
    const { feature, session_id: sessionId } = state
    const tree = await openWorkTree({ root, feature, sessionId, env: tools.env })
    trees.push({ state: { ...state, settings: { ...state.settings, root: tree.root } }, tree })
  }
  return await Promise.all(
    trees.map(async ({ state, tree }) => {
      const release = await slots.take(new AbortController().signal)
      try {
        return await workInTree({ state, tree, root }, tools)
      } finally {
        release()
      }
    }),
  )
}

interface TreeWork {
  readonly state: SessionState
  readonly tree: WorkTree
  readonly root: string
}

async function workInTree({ state, tree, root }: TreeWork, tools: FixTools): Promise<SessionEnd> {
  const { feature, session_id: sessionId } = state
  const say = (line: string): void => tools.say(`[${feature}] ${line}`)
  const end = await workOnSession({ state, root, branch: tree.branch }, { ...tools, say })
  const isOver = !end.isInterrupted && end.report.result === 'success'
  // What was begun and not finished is undone when it goes on.
  if (!end.isInterrupted) await keepWork({ root, feature, sessionId, env: tools.env }, { tree, isOver })
  return end
}

async function goOn(
  id: string,
  { flags, root, tools }: { readonly flags: FixFlags; readonly root: string; readonly tools: FixTools },
): Promise<SessionEnd> {
  const state = reopenSession(await readSessionState(sessionFolder(root, id)), flags.settings)
  const treeRoot = state.settings.root
  if (treeRoot === root) return await workOnSession({ state, root }, tools)
  if (!existsSync(treeRoot)) {
    throw new SetUpError(`The work tree \`${treeRoot}\` of the session is gone; its branch holds what was kept.`)
  }
  const tree = { root: treeRoot, branch: await branchOf({ root: treeRoot, env: tools.env }) }
  return await workInTree({ state, tree, root }, tools)
}
