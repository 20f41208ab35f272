export default {
  does: 'Runs out of its budget, and says so in its stream alone.',
  as: 'claude',
  act: ({ print }) => print({ type: 'result', subtype: 'error_max_budget_usd', is_error: true }),
}
