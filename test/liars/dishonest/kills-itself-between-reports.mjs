export default {
  does: 'Reports the first step and kills itself.',
  as: 'claude',
  async act({ report }) {
    await report('1-add-a-note')
    process.kill(process.pid, 'SIGKILL')
  },
}
