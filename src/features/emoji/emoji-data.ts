import { createHash } from 'node:crypto';
import { namesOfAllCodes } from '../../platform/emoji/emoji';

/** The names of all Unicode emoji by their codes, as clients load them. */
export const EMOJI_DATA = JSON.stringify({ code_to_names: Object.fromEntries(namesOfAllCodes()) });

const version = createHash('sha256').update(EMOJI_DATA).digest('hex').slice(0, 12);

/** Where clients look for the table of emoji, below the address of the server. */
export const EMOJI_DATA_FOLDER = 'static/generated/emoji';
export const EMOJI_DATA_FILE = 'emoji_api.json';

/** Where clients find it, on this server. Other data has another address, so that it can be kept for long. */
export const EMOJI_DATA_PATH = `/${EMOJI_DATA_FOLDER}/${EMOJI_DATA_FILE}?version=${version}`;
