import { el } from './dom.js';
export class AuditView { constructor(store) { this.root = el('p', {}, 'audit'); } begin() {} leave() {} }
