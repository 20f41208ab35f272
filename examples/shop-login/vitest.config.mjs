import { mdtest } from 'vitest-mdtest'

const { SHOP_URL, MAILBOX_URL, MODEL_URL } = process.env

export default {
  plugins: [
    mdtest({
      agent: 'browser',
      baseUrl: SHOP_URL ?? 'http://127.0.0.1:3000',
      mailbox: MAILBOX_URL ?? 'http://127.0.0.1:1080',
      providerUrl: MODEL_URL ?? 'http://127.0.0.1:4000/v1',
      secrets: ['SHOP_PASSWORD'],
      totp: { SHOP_CODE: 'SHOP_TOTP_SECRET' },
    }),
  ],
}
