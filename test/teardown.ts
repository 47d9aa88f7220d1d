import { dropTemplate } from './support/test-database';

/** Runs once, when all test files are done. */
export default dropTemplate;
