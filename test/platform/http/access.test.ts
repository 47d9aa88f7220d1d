import { Controller, Get, Post } from '@nestjs/common';
import { BotType, Role, type Actor } from '../../../src/platform/actor';
import {
  AdministratorOnly,
  CurrentActor,
  HumansOnly,
  NoGuests,
  NotRateLimited,
  OptionalCredentials,
  OwnerOnly,
  Public,
} from '../../../src/platform/http/decorators';
import { json } from '../../../src/platform/http/parameters/json';
import { Parameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { as, createHttpApp, member, type HttpApp } from './http-app';

class RequiredDto {
  @Parameter(json.integer()) required!: number;
}

@Controller('api/v1')
class AccessController {
  @Get('closed')
  closed(@CurrentActor() actor: Actor) {
    return { actor };
  }

  @Get('public')
  @Public()
  public(@CurrentActor() actor: Actor | null) {
    return { actor };
  }

  @Get('optional')
  @OptionalCredentials()
  optional(@CurrentActor() actor: Actor | null) {
    return { actor };
  }

  @Get('administrators')
  @AdministratorOnly()
  administrators(@Parameters() _input: RequiredDto) {
    return;
  }

  @Get('owners')
  @OwnerOnly()
  owners() {
    return;
  }

  @Get('no-guests-no-bots')
  @HumansOnly()
  @NoGuests()
  combined() {
    return;
  }
}

@Controller('api/v1/group')
@AdministratorOnly()
@NotRateLimited()
class GroupController {
  @Get('inherited')
  inherited() {
    return;
  }

  @Get('narrower')
  @OwnerOnly()
  narrower() {
    return;
  }

  @Post('opened')
  @Public()
  opened() {
    return;
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([AccessController, GroupController]);
});

afterAll(() => http.app.close());

async function get(path: string, headers: Record<string, string>) {
  const answer = await http.app.inject({ url: `/api/v1/${path}`, headers });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

const NOT_LOGGED_IN = {
  result: 'error',
  msg: 'Not logged in: API authentication or user session required',
  code: 'UNAUTHORIZED',
};

describe('credentials', () => {
  it('are asked for by default', async () => {
    const answer = await get('closed', {});
    expect(answer).toMatchObject({ status: 401, body: NOT_LOGGED_IN });
    expect(answer.headers['www-authenticate']).toBe('Basic realm="zulip"');
    expect((await get('closed', as())).body.actor).toEqual(member);
  });

  it('are not looked at on public routes', async () => {
    expect((await get('public', {})).body.actor).toBeNull();
    expect((await get('public', as())).body.actor).toBeNull();
  });

  it('are looked at where they are optional', async () => {
    expect((await get('optional', {})).body.actor).toBeNull();
    expect((await get('optional', as())).body.actor).toEqual(member);
  });

  it('are asked for before roles and parameters', async () => {
    expect((await get('administrators', {})).body).toEqual(NOT_LOGGED_IN);
  });
});

describe('roles [ERR-role]', () => {
  const bot = { isBot: true, botType: BotType.generic };
  const guest = { role: Role.guest };

  it.each<[string, Partial<Actor>, string, string]>([
    ['administrators', {}, 'Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'],
    [
      'administrators',
      { role: Role.moderator },
      'Must be an organization administrator',
      'UNAUTHORIZED_PRINCIPAL',
    ],
    ['administrators', guest, 'Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'],
    ['owners', { role: Role.administrator }, 'Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL'],
    ['no-guests-no-bots', guest, 'Not allowed for guest users', 'BAD_REQUEST'],
    ['no-guests-no-bots', bot, 'This endpoint does not accept bot requests.', 'BAD_REQUEST'],
    ['no-guests-no-bots', { ...bot, ...guest }, 'Not allowed for guest users', 'BAD_REQUEST'],
    ['group/inherited', {}, 'Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'],
    [
      'group/narrower',
      { role: Role.administrator },
      'Must be an organization owner',
      'UNAUTHORIZED_PRINCIPAL',
    ],
  ])('%s refuses %j', async (path, who, msg, code) => {
    await expect(get(path, as(who))).resolves.toMatchObject({
      status: 400,
      body: { result: 'error', msg, code },
    });
  });

  it.each<[string, Partial<Actor>]>([
    ['owners', { role: Role.owner }],
    ['no-guests-no-bots', {}],
    ['group/inherited', { role: Role.owner }],
    ['group/narrower', { role: Role.owner }],
  ])('%s lets %j in', async (path, who) => {
    expect((await get(path, as(who))).status).toBe(200);
  });

  it('are looked at before parameters', async () => {
    const answer = await get('administrators', as({ role: Role.administrator }));
    expect(answer.body.msg).toBe("Missing 'required' argument");
  });

  it('of a controller do not close a route that opens itself to callers without account', async () => {
    const answer = await http.app.inject({ method: 'POST', url: '/api/v1/group/opened' });
    expect(answer.statusCode).toBe(200);
  });
});
