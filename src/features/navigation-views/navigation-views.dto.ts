import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { visibleName } from '../../platform/http/parameters/visible-name';

const fragment = text({ trim: true, notBlank: true, maxLength: 1_000 });
const name = visibleName({ maxLength: 255 });

/** Parameters of `POST /navigation_views`. */
export class AddNavigationViewDto {
  /** Where the view is: what follows `#` in the address, such as `narrow/is/alerted`. */
  @Parameter(fragment) fragment!: string;

  /** Whether it is always shown. */
  @Parameter(json.boolean()) is_pinned!: boolean;

  /** What the person calls it: required, but for built-in views, which have none. */
  @Parameter(name, { optional: true }) name?: string;
}

/** Parameters of `PATCH /navigation_views/{fragment}`. */
export class UpdateNavigationViewDto {
  /** Where the view is: what follows `#` in the address. Slashes may stand as they are. */
  @PathParameter(fragment) fragment!: string;

  /** Whether it is always shown. */
  @Parameter(json.boolean(), { optional: true }) is_pinned?: boolean;

  /** What the person calls it; built-in views have no name. */
  @Parameter(name, { optional: true }) name?: string;
}

/** Parameters of `DELETE /navigation_views/{fragment}`. */
export class RemoveNavigationViewDto {
  /** Where the view is: what follows `#` in the address. Slashes may stand as they are. */
  @PathParameter(fragment) fragment!: string;
}
