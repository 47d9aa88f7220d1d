import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { FieldData } from './field-kinds';
import type { GivenValue } from './field-values';
import type { FieldDeclaration } from './custom-profile-fields.service';

const name = () => text({ trim: true, maxLength: 40 });
const hint = () => text({ trim: true, maxLength: 80 });
const fieldData = () => json.record(json.any());
const optional = { optional: true } as const;

/** Parameters that creating and changing a field share. */
class FieldFlagsDto {
  @Parameter(json.boolean(), optional) display_in_profile_summary?: boolean;
  @Parameter(json.boolean(), optional) required?: boolean;
  @Parameter(json.boolean(), optional) editable_by_user?: boolean;
  @Parameter(json.boolean(), optional) use_for_user_matching?: boolean;
}

export class CreateFieldDto extends FieldFlagsDto {
  @Parameter(json.integer()) field_type!: number;
  @Parameter(name(), { default: '' }) name!: string;
  @Parameter(hint(), { default: '' }) hint!: string;
  @Parameter(fieldData(), { default: {} }) field_data!: FieldData;
}

export class UpdateFieldDto extends FieldFlagsDto {
  @PathParameter() field_id!: number;
  @Parameter(name(), optional) name?: string;
  @Parameter(hint(), optional) hint?: string;
  @Parameter(fieldData(), optional) field_data?: FieldData;
}

export class FieldIdDto {
  @PathParameter() field_id!: number;
}

export class ReorderFieldsDto {
  @Parameter(json.array(json.integer())) order!: number[];
}

/** Parameters of `PATCH /users/me/profile_data`. */
export class UpdateProfileDataDto {
  @Parameter(
    json.array(
      json.object({
        id: json.integer(),
        value: json.union({ str: json.text(), 'list[int]': json.array(json.integer()) }),
      }),
    ),
  )
  data!: { id: number; value: GivenValue }[];
}

/** Parameters of `DELETE /users/me/profile_data`. */
export class RemoveProfileDataDto {
  @Parameter(json.array(json.integer())) data!: number[];
}

/** Turns the parameters into the words used inside. */
export function toFieldDeclaration(dto: CreateFieldDto | UpdateFieldDto): FieldDeclaration {
  return {
    name: dto.name,
    hint: dto.hint,
    data: dto.field_data,
    isInProfileSummary: dto.display_in_profile_summary,
    isRequired: dto.required,
    isEditableByUser: dto.editable_by_user,
    isUsedForMatching: dto.use_for_user_matching,
  };
}
