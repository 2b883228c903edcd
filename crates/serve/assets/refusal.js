// Requests that were refused.

import { t } from './language.js';

/** A refused request, with the reason. */
export class Refusal extends Error {
  constructor(body) {
    super(body?.message ?? t('There is no answer.'));
    this.body = body ?? {};
  }
}
