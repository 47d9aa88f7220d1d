import { DescriptionCheck } from './description-check';
import { readApiDescription } from './openapi';

const engine = process.env.TEST_ENGINE || 'sqlite';

/** Holds what the running test file gets to the API description; with the default engine, as all answer in one form. */
export const descriptionCheck = new DescriptionCheck(readApiDescription(), engine === 'sqlite');
