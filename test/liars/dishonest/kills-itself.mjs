export default {
  does: 'Kills itself before it wrote anything.',
  as: 'codex',
  act: () => process.kill(process.pid, 'SIGKILL'),
}
