import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import type { PictureKind } from './organization-pictures.wire';

/** Which logo a request is about. */
export class LogoDto {
  /** Whether it is the logo for dark pages. */
  @Parameter(json.boolean()) night!: boolean;
}

/** The picture that the parameters name. */
export function logoKind({ night }: LogoDto): PictureKind {
  return night ? 'night_logo' : 'logo';
}

/** The last part of a picture's address. */
export class OrganizationPictureFileDto {
  /** Name of the picture. */
  @PathParameter(text({ unchecked: true })) file!: string;

  /** Its version, as its address has it. */
  @Parameter(text(), { optional: true }) version?: string;
}
