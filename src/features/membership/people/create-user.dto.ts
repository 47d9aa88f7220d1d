import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** Parameters of `POST /users`. */
export class CreateUserDto {
  /** Real address, which no other account may have. */
  @Parameter(text({ trim: true })) email!: string;
  /** Password to sign in with; it has to be hard enough to guess. */
  @Parameter(text()) password!: string;
  /** Name that is shown. */
  @Parameter(text()) full_name!: string;
}
