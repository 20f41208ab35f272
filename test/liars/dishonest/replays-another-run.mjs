export default {
  does: "Writes a full log that carries another run's id.",
  as: 'codex',
  act: ({ writeLog, passed }) => writeLog({ status: 'pass', run: '0'.repeat(32), steps: passed }),
}
