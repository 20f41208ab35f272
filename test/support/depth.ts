/**
 * Whether tests go to the depth that helps nobody every day: 10,000 inputs of each property, each behaviour with each
 * product, each liar as a whole run. `MDTEST_DEEP=1 npm run test:all`.
 */
export const isDeep = process.env.MDTEST_DEEP === '1'
