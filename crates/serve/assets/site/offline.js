// The service worker of the static site: keeps the files of one version, so that the page needs no network. A new
// version waits until no page uses the old one. The build writes `VERSION` and `FILES` above.

const PREFIX = `admissible ${registration.scope} `;
const NAME = PREFIX + VERSION;

async function fill() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
}

/** Removes other versions, of this address alone. */
async function clean() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answer(request) {
  const cache = await caches.open(NAME);
  return await cache.match(request.mode === 'navigate' ? './' : request) ?? fetch(request);
}

addEventListener('install', (event) => event.waitUntil(fill()));
addEventListener('activate', (event) => event.waitUntil(clean()));
addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(answer(event.request));
});
