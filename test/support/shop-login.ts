import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ModelScript } from './model-server.ts'
import { fileName } from './scripts/role-scripts.ts'
import { callOwn, playTurn, type Turn } from './scripts/report-spec.ts'
import { secret } from './secret-forms.ts'
import { startMailDev, type MailDev } from './start-maildev.ts'

const example = new URL('../../examples/shop-login/', import.meta.url)
const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Validity of a one-time code, in seconds. Each sign-in waits for a code of its own. */
export const codePeriod = 6

export const hidden = [secret, seed]

export function exampleFile(name: string): string {
  return readFileSync(new URL(name, example), 'utf8')
}

export interface ShopLogin extends AsyncDisposable {
  readonly url: string
  readonly mails: MailDev
  /** Address of the scripted model of the example. */
  readonly modelUrl: string
  /** Variables that the specs and the configuration of the example need. */
  readonly env: Readonly<Record<string, string>>
}

/** The programs of `examples/shop-login`, each on a free port. */
export async function startShopLogin(): Promise<ShopLogin> {
  const mails = await startMailDev()
  const ports = { PORT: '0', MODEL_PORT: '0', SMTP_PORT: String(mails.smtpPort) }
  const programs = ['shop.mjs', 'model.mjs'].map((name) =>
    spawn(process.execPath, [new URL(name, example).pathname], {
      env: {
        ...{ ...process.env, ...ports, SHOP_CODE_PERIOD: String(codePeriod) },
        ...{ SHOP_PASSWORD: secret, SHOP_TOTP_SECRET: seed },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const [url = '', modelUrl = ''] = await Promise.all(
    programs.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
  )
  return {
    ...{ url, mails, modelUrl },
    env: {
      ...{ SHOP_URL: url, MAILBOX_URL: mails.url, SHOP_PASSWORD: secret },
      SHOP_TOTP_SECRET: `otpauth://totp/shop?secret=${seed}&period=${codePeriod}`,
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) program.kill()
      await mails[Symbol.asyncDispose]()
    },
  }
}

type Move = (results: readonly string[]) => readonly [tool: string, input: Record<string, unknown>]

/** The moves of the example's model, for agents that speak another provider's format. */
export async function shopLoginScript(): Promise<ModelScript> {
  const { moves } = (await import(new URL('model.mjs', example).href)) as { moves: Readonly<Record<string, Move[]>> } // ours
  return playTurn(function* (conversation): Turn {
    const results: string[] = []
    for (const move of moves[fileName(conversation)] ?? []) {
      const [tool, input] = move(results)
      let { text } = yield tool === 'report_step'
        ? callOwn(tool, input)
        : { kind: 'mcp', server: 'playwright', tool, input }
      while (text.includes('still checks')) ({ text } = yield callOwn('next_step'))
      results.push(text)
    }
    return 'All is done.'
  })
}
