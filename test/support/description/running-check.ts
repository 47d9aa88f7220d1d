import { apiDescription } from '../shared/api-description';
import { DescriptionCheck } from './description-check';

/** Checks the answers of the running test file against the API description. */
export const descriptionCheck = new DescriptionCheck(apiDescription);
