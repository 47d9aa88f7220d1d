import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Parameters of `POST /dev_fetch_api_key`. */
export class DevelopmentKeyDto {
  /** E-mail address of the account. */
  @Parameter(text({ trim: true })) username!: string;
}

/** Parameters of `POST /fetch_api_key`. */
export class FetchApiKeyDto {
  /** E-mail address of the account; a browser with a session leaves it out. */
  @Parameter(text({ trim: true }), { optional: true }) username?: string;
  /** Password of the account. */
  @Parameter(text()) password!: string;
}
