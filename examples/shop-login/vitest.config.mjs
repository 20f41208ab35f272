import { mdtest } from 'vitest-mdtest'

export default {
  plugins: [
    mdtest({
      agent: 'browser',
      baseUrl: 'http://127.0.0.1:3000',
      mailbox: 'http://127.0.0.1:1080',
      secrets: ['SHOP_PASSWORD'],
    }),
  ],
}
