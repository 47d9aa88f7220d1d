import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { readBuild, versionNotice, type WebAppBuild } from './build/read-build';

/** The web app that the operator unpacked, if there is one. A folder that does not fit refuses the start. */
@Injectable()
export class WebApp {
  /** Null where the operator names no folder. */
  readonly build: WebAppBuild | null;

  /** @throws WebAppUnfit */
  constructor({ webAppDir }: Config) {
    this.build = webAppDir === null ? null : readBuild(webAppDir);
    const notice = this.build && versionNotice(this.build);
    if (notice !== null) new Logger('WebApp').warn(notice);
  }
}
