export type { ActivityKind, AgentEvent, AgentRequest, CliAgent } from '../agents/agent.ts'
export type { Command } from '../system/process/command.ts'
