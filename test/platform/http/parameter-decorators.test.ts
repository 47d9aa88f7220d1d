import { Controller, Post } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { json } from '../../../src/platform/http/parameters/json';
import { Parameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { text } from '../../../src/platform/http/parameters/text';
import { as, createHttpApp, type HttpApp } from './http-app';

const optional = { optional: true };

class PersonDto {
  @IsString() @MaxLength(5) name!: string;
  @IsOptional() @IsInt() age?: number;
}

class HostDto {
  @Parameter(text()) host!: string;
}

@ValidatorConstraint({ async: true })
class IsKnownHost implements ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    return Promise.resolve(value === 'known');
  }

  defaultMessage(): string {
    return 'Nobody knows this host';
  }
}

/** Decorators of class-validator and class-transformer above and below the declaration, in a base class and a group. */
class DecoratedDto extends HostDto {
  @IsOptional() @MaxLength(5) @Parameter(text(), optional) above?: string;
  @Parameter(text(), optional) @IsOptional() @MaxLength(5, { message: 'Keep it short.' }) below?: string;
  @IsOptional() @Min(3) @IsIn([1, 4, 5]) @Parameter(json.integer(), optional) number?: number;
  @Parameter(text(), optional) @IsOptional() @MaxLength(5, { groups: ['some'] }) grouped?: string;
  @ValidateIf(({ above }: DecoratedDto) => above === 'check')
  @IsEmail()
  @Parameter(text(), optional)
  mail?: string;
  @Parameter(text(), optional) @Validate(IsKnownHost) @IsOptional() known?: string;
  @Transform(({ value }: { value: string }) => value.trim().toUpperCase())
  @Parameter(text(), optional)
  upper?: string;
  @Parameter(json.array(json.integer()), optional)
  @Transform(({ value }: { value: number[] }) => value.map((item) => item * 2), { groups: ['some'] })
  @Max(10, { each: true })
  @IsOptional()
  doubled?: number[];
  @ValidateNested() @Type(() => PersonDto) @IsOptional() @Parameter(json.any(), optional) person?: PersonDto;
  @ValidateNested({ each: true })
  @Type(() => PersonDto)
  @Parameter(json.array(json.any()), { default: [] })
  people!: PersonDto[];
  @Exclude() @Parameter(text(), optional) dropped?: string;
  @Allow() @Expose() @Transform(({ obj }: { obj: DecoratedDto }) => `${obj.host}!`) made!: string;
}

@Controller('api/v1')
class DecoratedController {
  @Post('decorated')
  decorated(@Parameters() input: DecoratedDto) {
    const classes = [input, input.person, input.people[0]].map((each) => each?.constructor.name);
    return { input, classes };
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([DecoratedController]);
});

afterAll(() => http.app.close());

async function post(fields: string) {
  const headers = { ...as(), 'content-type': 'application/x-www-form-urlencoded' };
  const url = '/api/v1/decorated';
  const answer = await http.app.inject({ method: 'POST', url, headers, payload: fields });
  return { status: answer.statusCode, body: answer.json() };
}

describe('decorators of class-validator and class-transformer on a DTO', () => {
  it.each<[string, string, string]>([
    ['above the declaration', 'above=123456', 'above must be shorter than or equal to 5 characters'],
    ['below it', 'below=123456', 'Keep it short.'],
    ['of which the lowest speaks first', 'number=2', 'number must be one of the following values: 1, 4, 5'],
    ['and the next one after it', 'number=1', 'number must not be less than 3'],
    ['of a group', 'grouped=123456', 'grouped must be shorter than or equal to 5 characters'],
    ['under a condition', 'above=check&mail=x', 'mail must be an email'],
    ['which absence may fulfil', 'above=check', 'mail must be an email'],
    ['of its own, which takes its time', 'known=other', 'Nobody knows this host'],
    ['on what a transformation makes', 'doubled=[6]', 'each value in doubled must not be greater than 10'],
    [
      'of a nested class',
      'person={"name":"abcdef"}',
      'person.name must be shorter than or equal to 5 characters',
    ],
    [
      'of each in a list',
      'people=[{"name":"a"},{"name":"b","age":"c"}]',
      'people[1].age must be an integer number',
    ],
    ['that asks for an object', 'person=5', 'nested property person must be either object or array'],
    [
      'in the order of declaration',
      'host=x&number=1&above=123456',
      'above must be shorter than or equal to 5 characters',
    ],
    ['after what cannot be decoded', 'above=123456&number=x', 'number is not valid JSON'],
  ])('refuse, %s', async (_where, payload, msg) => {
    const { status, body } = await post(`host=h&${payload}`);
    expect({ status, body }).toEqual({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });
  });

  it('leave missing parameters to the declaration', async () => {
    const { status, body } = await post('above=123456');
    expect({ status, msg: body.msg }).toEqual({ status: 400, msg: "Missing 'host' argument" });
  });

  it('let through what fits, and transform it', async () => {
    const fields = {
      host: 'h',
      above: '12345',
      mail: 'x',
      known: 'known',
      upper: ' a ',
      doubled: '[5]',
      dropped: 'x',
    };
    const people = { person: '{"name":"a"}', people: '[{"name":"b","age":3}]' };
    const { status, body } = await post(new URLSearchParams({ ...fields, ...people }).toString());
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        result: 'success',
        msg: '',
        input: {
          host: 'h',
          above: '12345',
          mail: 'x',
          known: 'known',
          upper: 'A',
          doubled: [10],
          person: { name: 'a' },
          people: [{ name: 'b', age: 3 }],
          made: 'h!',
        },
        classes: ['DecoratedDto', 'PersonDto', 'PersonDto'],
      },
    });
  });
});
