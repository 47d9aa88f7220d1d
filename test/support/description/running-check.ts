import { apiDescription } from '../shared/api-description';
import { DescriptionCheck } from './description-check';

/** Holds what the running test file gets to the API description. */
export const descriptionCheck = new DescriptionCheck(apiDescription);
