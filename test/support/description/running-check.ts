import { DescriptionCheck } from './description-check';
import { readApiDescription } from './openapi';

/** Holds what the running test file gets to the API description. */
export const descriptionCheck = new DescriptionCheck(readApiDescription());
