import { createHash } from 'node:crypto';
import { namesOfAllCodes } from '../../platform/emoji/emoji';

/** The names of all Unicode emoji by their codes, as clients load them. */
export const EMOJI_DATA = JSON.stringify({ code_to_names: Object.fromEntries(namesOfAllCodes()) });

const version = createHash('sha256').update(EMOJI_DATA).digest('hex').slice(0, 12);

/** Path, relative to the server's URL, at which clients look for the emoji table. */
export const EMOJI_DATA_FOLDER = 'static/generated/emoji';
export const EMOJI_DATA_FILE = 'emoji_api.json';

/** The URL of the table on this server. It changes with the data, so that responses can be cached for long. */
export const EMOJI_DATA_PATH = `/${EMOJI_DATA_FOLDER}/${EMOJI_DATA_FILE}?version=${version}`;
