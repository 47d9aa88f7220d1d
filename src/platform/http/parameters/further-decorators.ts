import { plainToInstance, TransformationType, type TransformOptions } from 'class-transformer';
import { defaultMetadataStorage as transformer } from 'class-transformer/cjs/storage';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import { BadRequest } from '../../errors/shared.errors';

/** Applies the class-transformer and class-validator decorators of a DTO to its decoded values. */
export type FurtherStep<T extends object> = (values: T) => Promise<T>;

/**
 * Collects, once, what class-transformer and class-validator know of a DTO. If they know anything, both libraries run
 * unchanged for each request: `@Transform`, `@Type` and the like on decoded values, then every check. Groups make no
 * difference, because a request names none: a decorator of any group counts.
 * @param properties those that carry a parameter, in the order in which problems are reported
 * @returns null for a DTO without such decorators, which is ready once decoded
 */
export function furtherStep<T extends object>(
  dto: new () => T,
  properties: readonly string[],
): FurtherStep<T> | null {
  const transform = transformStep(dto, properties);
  const hasChecks = getMetadataStorage().getTargetValidationMetadatas(dto, dto.name, false, false).length > 0;
  if (transform === null && !hasChecks) return null;
  return async (values) => {
    const input = transform === null ? values : transform(values);
    if (hasChecks) await check(input, properties);
    return input;
  };
}

function transformStep<T extends object>(
  dto: new () => T,
  properties: readonly string[],
): ((values: T) => T) | null {
  const transforms = properties.flatMap((property) =>
    transformer.findTransformMetadatas(dto, property, TransformationType.PLAIN_TO_CLASS),
  );
  const exposures = [...transformer.getExposedMetadatas(dto), ...transformer.getExcludedMetadatas(dto)];
  const isTyped = properties.some((property) => transformer.findTypeMetadata(dto, property) !== undefined);
  const isPlain = transformer.getStrategy(dto) === 'none' && !isTyped;
  if (isPlain && transforms.length === 0 && exposures.length === 0) return null;
  const options = [...transforms, ...exposures].map((metadata) => metadata.options as TransformOptions);
  const groups = options.flatMap((each) => each?.groups ?? []);
  return (values) => plainToInstance(dto, { ...values }, { groups, exposeUnsetFields: false });
}

/** @throws BadRequest for the first problem in the order of declaration */
async function check(input: object, properties: readonly string[]): Promise<void> {
  const errors = await validate(input, { validationError: { target: false, value: false } });
  const position = ({ property }: ValidationError) => properties.indexOf(property) + 1 || Infinity;
  const [first] = errors.sort((one, other) => position(one) - position(other));
  if (first !== undefined) throw new BadRequest(sentence(first, ''));
}

/**
 * The message of an error, or of the first nested one; messages of class-validator begin with a name, which gets its
 * path.
 */
function sentence({ property, constraints, children = [] }: ValidationError, parent: string): string {
  const at = /^\d+$/.test(property ?? '')
    ? `${parent}[${property}]`
    : [parent, property].filter(Boolean).join('.');
  const message = Object.values(constraints ?? {})[0];
  if (message === undefined) return children[0] ? sentence(children[0], at) : 'Invalid parameters';
  if (parent === '') return message;
  return message.startsWith(`${property} `) ? at + message.slice(property.length) : `${at}: ${message}`;
}
