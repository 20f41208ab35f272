export default {
  does: 'Writes `status: fail` above a list in which every step passes.',
  as: 'command',
  act: ({ writeLog, passed }) => writeLog({ status: 'fail', steps: passed }),
}
