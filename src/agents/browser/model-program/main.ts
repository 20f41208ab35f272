// The program of the agent `browser`. It reads its task, one line on stdin, and prints one event per line.
import { withoutUndefined } from '../../../system/without-undefined.ts'
import { readOwnTask } from '../../agent-program-protocol.ts'
import type { BrowserTask } from '../browser-settings.ts'
import { BrowserServer } from '../tool-server/browser-server.ts'
import { carryOutTask } from './run-task.ts'

const own = await readOwnTask<BrowserTask>(process)
if (own !== undefined) {
  const { task } = own
  const env = withoutUndefined<Record<string, string>>(process.env)
  // Playwright puts its temporary files into TMPDIR.
  process.env.TMPDIR = task.launch.home
  await carryOutTask(task, { ...own, env, browser: new BrowserServer(task, env) })
}
