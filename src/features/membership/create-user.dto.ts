import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Parameters of endpoint 10. */
export class CreateUserDto {
  @Parameter(text({ trim: true })) email!: string;
  @Parameter(text()) password!: string;
  @Parameter(text()) full_name!: string;
}
