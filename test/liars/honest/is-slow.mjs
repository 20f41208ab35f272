import { setTimeout as sleep } from 'node:timers/promises'

export default {
  does: 'Takes its time, with a sign of life now and then.',
  as: 'claude',
  front: ['silence-timeout: 3s'],
  async act({ report }) {
    for (const step of ['1-add-a-note', '2-list-the-notes']) {
      for (let round = 0; round < 4; round += 1) {
        await sleep(500)
        console.log('Still at it.')
      }
      await report(step)
    }
  },
}
