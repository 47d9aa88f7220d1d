import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../../platform/config/config';
import { Hooks } from '../../../platform/hooks/hooks';
import { SharedContent } from '../../../platform/http/files/shared-content';
import { type HomePage, homePagePort } from '../../auth/auth.module';

/** Output folder of `npm run build` for the console, relative to both the compiled file and its source. */
const FOLDER = join(__dirname, '../../../../dist/console');

/** The list of files, written by the build. */
interface Listing {
  /** Scripts by language code. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly style: string;
  readonly worker: string;
  readonly icons: ConsoleIcons;
  readonly files: readonly string[];
}

/** The icons of the console as an app. */
export interface ConsoleIcons {
  /** 192 pixels wide, rounded. */
  readonly small: string;
  /** 512 pixels wide, rounded. */
  readonly large: string;
  /** 512 pixels wide, to be cropped to any shape. */
  readonly maskable: string;
  /** 180 pixels wide, for iOS, which rounds it. */
  readonly touch: string;
}

/** URLs of what the page loads. */
export interface ConsoleEntries {
  /** Language code of the script. */
  readonly language: string;
  readonly script: string;
  readonly style: string;
  readonly icons: ConsoleIcons;
}

/** A file of the console. */
interface ConsoleAsset {
  readonly type: string;
  readonly content: SharedContent;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
};

/**
 * The files of the console, read once at the start. Nothing else is ever read from disk, so no URL leads to any other
 * file.
 */
@Injectable()
export class ConsoleAssets {
  private readonly listing: Listing | null;
  private readonly assets: ReadonlyMap<string, ConsoleAsset>;
  /** The service worker that shows notifications while no page is open; its URL never changes. */
  readonly worker: ConsoleAsset | null;

  constructor(config: Config) {
    this.listing = config.console === 'on' ? read() : null;
    this.assets = new Map((this.listing?.files ?? []).map((name) => [name, load(name)]));
    this.worker = this.listing && load(this.listing.worker);
  }

  /** Whether there are pages: they were built, and the operator has not disabled them. */
  get isThere(): boolean {
    return this.listing !== null;
  }

  /**
   * The URLs of what the page loads.
   * @param codes language codes in order of preference; each also matches its base language, and English is the
   * fallback
   */
  entriesIn(codes: readonly string[]): ConsoleEntries | null {
    if (!this.listing) return null;
    const { scripts, style, icons } = this.listing;
    const language =
      codes.flatMap((code) => [code, code.split('-', 1)[0]!]).find((each) => Object.hasOwn(scripts, each)) ??
      'en';
    return {
      language,
      script: addressOf(scripts[language]!),
      style: addressOf(style),
      icons: {
        small: addressOf(icons.small),
        large: addressOf(icons.large),
        maskable: addressOf(icons.maskable),
        touch: addressOf(icons.touch),
      },
    };
  }

  byName(name: string): ConsoleAsset | undefined {
    return this.assets.get(name);
  }
}

const addressOf = (name: string) => `/console/assets/${name}`;

function read(): Listing | null {
  const path = join(FOLDER, 'assets.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Listing) : null;
}

function load(name: string): ConsoleAsset {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return { type, content: new SharedContent(readFileSync(join(FOLDER, name))) };
}

/** Redirects people with a session from the root URL to the console; others see the front page. */
@Injectable()
export class ConsoleHomeService implements HomePage {
  constructor(assets: ConsoleAssets, hooks: Hooks) {
    if (assets.isThere) hooks.provide(homePagePort, this);
  }

  async show(request: FastifyRequest, reply: FastifyReply): Promise<string | null> {
    if (request.sessionId === null) return null;
    void reply.code(302).header('location', '/console');
    return '';
  }
}
