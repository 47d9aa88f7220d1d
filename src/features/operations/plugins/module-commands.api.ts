import { IsString } from 'class-validator';

/** Input of `module remove`. */
export class RemoveModuleInput {
  @IsString() name!: string;
}
