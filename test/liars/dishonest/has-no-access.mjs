export default {
  does: 'Has no access to its model.',
  as: 'claude',
  act({ print }) {
    print({ type: 'result', subtype: 'success', is_error: true, api_error_status: 401, result: 'Invalid API key' })
  },
}
