// The program between mdtest and an ACP agent. It reads its task, one line on stdin, and prints one event per line.
import { readOwnTask } from '../../agent-program-protocol.ts'
import type { AcpTask } from '../acp-agent.ts'
import { carryOutTask } from './run-task.ts'

const own = await readOwnTask<AcpTask>(process)
const say = (text: string): void => void process.stderr.write(`${text}\n`)
if (own !== undefined) await carryOutTask(own.task, { ...own, env: process.env, say })
