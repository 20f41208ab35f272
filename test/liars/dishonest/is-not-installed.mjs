export default {
  does: 'Is not installed.',
  as: 'command',
  isMissing: true,
  act() {},
}
