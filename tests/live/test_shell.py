"""The shell in a real browser: fragments, stamps, the strip, taps, refusals, the queue."""

import re

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.support.browser import until

pytestmark = pytest.mark.browser


@pytest.fixture
def page(stage, chromium) -> Page:
    """Open the stage's page, signed in, with its socket live."""
    opened: Page = chromium.page("floor", stage.url)
    until(opened, "!!window.stage")
    expect(opened.locator("html")).to_have_attribute("data-connection", "live")
    return opened


@pytest.fixture
def heard() -> list[str]:
    """Return what the timed page's sockets have received so far."""
    return []


@pytest.fixture
def sockets() -> list[WebSocket]:
    """Return the sockets that the timed page has opened."""
    return []


@pytest.fixture
def timed_page(stage, chromium, heard, sockets) -> Page:
    """Open the same page, in which time has stopped since its last tick: only `run_for` moves it."""
    opened: Page = chromium.page("floor")

    def listen(socket: WebSocket) -> None:
        sockets.append(socket)
        socket.on("framereceived", lambda text: heard.append(str(text)))

    opened.on("websocket", listen)
    opened.clock.install()
    opened.goto(stage.url)
    until(opened, "!!window.stage")
    expect(opened.locator("html")).to_have_attribute("data-connection", "live")
    opened.clock.pause_at(opened.evaluate("Date.now() / 1000 + 0.1"))
    heard.clear()
    until(opened, lambda: any('"tick"' in text for text in heard))
    return opened


def say(page: Page) -> str:
    return page.locator("[data-connection-word]").inner_text()


@pytest.mark.slow
def test_a_change_appears_and_what_changed_glows(stage, page):
    stage.rename("Changed by somebody else")

    # Both at once: it glows for little more than a second.
    until(
        page,
        """(({ textContent, classList }) =>
      textContent === "Changed by somebody else" && classList.contains("changed")
    )(document.querySelector("#room-name"))""",
    )
    expect(page.locator("#room-name")).not_to_have_class(re.compile("changed"))


@pytest.mark.slow
def test_an_older_or_equal_stamp_is_dropped_and_a_newer_one_shown(page):
    stamp = [int(part) for part in page.locator("#live").get_attribute("data-stamp").split(",")]

    def show(s: list[int], html: str) -> None:
        page.evaluate("([s, html]) => stage.live.show({t: 'fragment', a: 'board', s, html})", [s, html])

    show(stamp, "equal")
    show([*stamp[:2], stamp[2] - 1, 0], "older")
    show([*stamp[:3], stamp[3] - 1], "more in progress: older")
    show([*stamp[:1], stamp[1] - 1, stamp[2] + 1000, 0], "before the failover")
    expect(page.locator("#room-name")).to_have_text("Stage")

    show([*stamp[:2], stamp[2] + 1000, -3], "newer")
    expect(page.locator("#live")).to_have_text("newer")


@pytest.mark.slow
def test_scroll_focus_and_an_unread_refusal_survive_a_fragment(stage, page):
    page.locator("#seats").evaluate("element => { element.scrollTop = 150 }")
    page.get_by_role("button", name="Sit here").nth(6).click()
    expect(page.locator("#fragment-refusal")).to_contain_text("H2.14")

    stage.rename("Scrolled")

    expect(page.locator("#room-name")).to_have_text("Scrolled")
    expect(page.locator("#fragment-refusal")).to_contain_text("H2.14")
    assert page.locator("#seats").evaluate("element => element.scrollTop") > 100


@pytest.mark.slow
def test_a_fragment_never_swallows_a_tap(stage, timed_page, heard):
    box = timed_page.get_by_role("button", name="Sit here").first.bounding_box()
    timed_page.mouse.move(box["x"] + 5, box["y"] + 5)
    timed_page.mouse.down()

    stage.rename("Under the finger")
    until(timed_page, lambda: any("Under the finger" in text for text in heard))
    # Longer than any tap; a finger that stays for good holds up nothing for good.
    timed_page.clock.run_for(1400)
    expect(timed_page.locator("#room-name")).to_have_text("Stage")
    timed_page.mouse.up()
    timed_page.clock.run_for(100)

    expect(timed_page.locator("#room-name")).to_have_text("Under the finger")
    expect(timed_page.locator("#fragment-refusal")).to_contain_text("H2.14")
    assert len(stage.all("taps")) == 1


@pytest.mark.slow
def test_a_dead_server_is_said_within_two_seconds_and_the_age_is_shown(stage, timed_page, sockets):
    page = timed_page
    stage.kill()
    # What was under way has been heard by now, while time stood still.
    until(page, lambda: all(socket.is_closed() for socket in sockets))

    page.clock.run_for(1900)
    assert say(page) == "live"
    # It looks four times a second.
    page.clock.run_for(400)
    expect(page.locator("html")).to_have_attribute("data-connection", "gone")
    assert "connection gone" in say(page)
    # The age is written twice a second: the last time when between 4.3 and 4.8 s have passed.
    page.clock.run_for(2500)
    expect(page.locator("[data-age]")).to_have_text("shown as it was 0:04 ago")
    expect(page.locator("#room-name")).to_have_text("Stage")

    stage.rename("While it was away", heard=False)
    stage.restart()
    page.clock.resume()
    expect(page.locator("#room-name")).to_have_text("While it was away")
    expect(page.locator("html")).to_have_attribute("data-connection", "live")
    expect(page.locator("[data-age]")).to_have_text("")


@pytest.mark.slow
def test_a_server_that_does_not_hear_what_happens_says_that_it_is_behind(stage, page):
    redis_url = stage.env["REDIS_URL"]
    stage.env["REDIS_URL"] = "redis://127.0.0.1:1/0"
    stage.restart()

    expect(page.locator("html")).to_have_attribute("data-connection", "behind")
    assert "server behind" in say(page)
    stage.rename("Late, but here")
    expect(page.locator("#room-name")).to_have_text("Late, but here")

    stage.env["REDIS_URL"] = redis_url
    stage.restart()
    expect(page.locator("html")).to_have_attribute("data-connection", "live")
    assert say(page) == "live"


@pytest.mark.slow
def test_a_tap_is_answered_with_the_fresh_state(stage, page):
    stage.rename("Fresh", heard=False, logged=False)

    page.locator("#done").click()

    expect(page.locator("#room-name")).to_have_text("Fresh")
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", stage.all("taps")[0])


@pytest.mark.slow
def test_a_refusal_stands_where_the_tap_was_until_it_is_read(stage, page):
    page.locator("#refused").click()
    refusal = page.locator("#taps-refusal [role=alert]")
    expect(refusal).to_contain_text("H2.14: A new player")
    stage.rename("Meanwhile")
    expect(page.locator("#room-name")).to_have_text("Meanwhile")
    expect(refusal).to_be_visible()

    refusal.get_by_role("button", name="Read").click()

    expect(refusal).to_have_count(0)


@pytest.mark.slow
def test_a_refusal_goes_where_the_screen_wants_it(page):
    page.locator("#named").click()

    expect(page.locator("#elsewhere [role=alert]")).to_contain_text("H2.14")


@pytest.mark.slow
def test_a_tap_that_nobody_answered_keeps_its_command_id(stage, page):
    page.context.set_offline(True)
    page.locator("#done").click()
    expect(page.locator("#taps-refusal")).to_contain_text("it is done only once")
    page.context.set_offline(False)

    stage.set("answer", "500")
    page.locator("#done").click()
    expect(page.locator("#taps-refusal")).to_contain_text("Something broke")
    stage.set("answer", "done")
    page.locator("#done").click()
    expect(page.locator("#taps-refusal")).to_be_empty()
    page.locator("#done").click()
    until(page, lambda: len(stage.all("taps")) >= 3)

    first, second, another = stage.all("taps")
    assert first == second
    assert another != first
    assert stage.all("moments")[0] == stage.all("moments")[1]


@pytest.mark.slow
def test_tapped_twice_in_a_hurry_is_sent_once(stage, timed_page):
    stage.set("held:tap", 1)
    timed_page.locator("#slow").evaluate("button => { button.click(); button.click(); button.click() }")

    timed_page.clock.run_for(1900)
    assert say(timed_page) == "live"
    timed_page.clock.run_for(600)
    expect(timed_page.locator("[data-connection-word]")).to_have_text("1 tap waiting")
    stage.set("held:tap", "")
    expect(timed_page.locator("[data-connection-word]")).to_have_text("live")
    assert len(stage.all("taps")) == 1


def test_a_destructive_act_asks_once_in_words_and_the_safe_answer_has_the_focus(stage, page):
    page.locator("#void").click()
    expect(page.locator("#confirm")).to_contain_text("Void hand 214 and give back 86 €?")
    expect(page.get_by_role("button", name="Keep the hand")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).not_to_be_visible()

    page.locator("#void").click()
    page.mouse.click(5, 5)
    expect(page.locator("#confirm")).not_to_be_visible()
    assert stage.all("taps") == []

    page.locator("#void").click()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    stage.rename("Voided", heard=False, logged=False)
    page.get_by_role("button", name="Void it").click()
    expect(page.locator("#room-name")).to_have_text("Voided")
    stage.rename("Done", heard=False, logged=False)
    page.locator("#done").click()
    expect(page.locator("#room-name")).to_have_text("Done")
    # Had it been sent twice, the second one would have gone before this other tap.
    assert sent == ["POST", "POST"]


ADD = """async ([n, dependsOn]) => {
  window.q ??= await stage.queue.openQueue();
  const item = await q.add({url: '/tap/', body: {n: String(n)}, kind: 'fact', signIn: 'anna', dependsOn});
  return item.id;
}"""


def test_the_queue_survives_a_dead_server_and_a_reload_and_keeps_its_order(stage, page):
    stage.kill()
    ids = [page.evaluate(ADD, [number, []]) for number in range(3)]
    expect(page.locator("[data-connection-word]")).to_have_text("connection gone · 3 taps waiting")

    # The page goes before the server comes back: one that is left while it sends sends again, with the same id.
    page.goto("about:blank")
    stage.restart()
    page.goto(stage.url)
    until(page, "!!window.stage")
    page.evaluate("async () => { window.q = await stage.queue.openQueue() }")

    until(page, "q.count === 0")
    assert stage.all("taps") == ids
    assert stage.all("sign-ins") == ["anna"] * 3
    assert stage.all("moments") == sorted(stage.all("moments"))


@pytest.mark.slow
def test_a_refused_command_stops_what_depends_on_it_and_nothing_else(stage, page):
    stage.set("answer", "500")
    page.evaluate(
        "async () => { window.q = await stage.queue.openQueue(); window.told = []; "
        "q.addEventListener('refused', event => told.push([event.detail.item.body.n, event.detail.status])) }"
    )
    first = page.evaluate(ADD, [1, []])
    second = page.evaluate(ADD, [2, [first]])
    page.evaluate(ADD, [3, [second]])
    until(page, "q.state === 'waiting'")

    stage.set("answer", "422")
    page.evaluate("q.wake()")
    until(page, "q.count === 0")

    assert page.evaluate("told") == [["1", 422], ["2", 0], ["3", 0]]
    kept = page.evaluate("q.refused()")
    assert "H2.14" in next(refused["html"] for refused in kept if refused["id"] == first)
    assert set(stage.all("taps")) == {first}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "state"), [("401", "held"), ("403", "held"), ("foreign", "waiting"), ("503", "waiting")]
)
def test_what_may_still_be_carried_out_stays_in_the_queue(stage, page, answer, state):
    stage.set("answer", answer)
    page.evaluate(ADD, [1, []])
    until(page, f"q.state === '{state}'")
    assert page.evaluate("q.count") == 1

    stage.set("answer", "done")
    page.evaluate("q.wake()")

    until(page, "q.count === 0")
    assert len(set(stage.all("taps"))) == 1


@pytest.mark.slow
def test_the_page_obeys_its_own_content_policy(stage, chromium):
    opened = chromium.context("floor").new_page()
    messages = []
    opened.on("console", lambda message: messages.append(message.text))

    opened.goto(stage.url)
    expect(opened.locator("html")).to_have_attribute("data-connection", "live")

    assert not [text for text in messages if "Content Security Policy" in text or "Refused" in text]


@pytest.mark.slow
def test_countdowns_run_by_the_servers_clock(timed_page):
    timed_page.evaluate("""() => {
      const soon = new Date(stage.clock.serverNow() + 65500).toISOString();
      document.querySelector('#elsewhere').innerHTML = `<time id="left" data-deadline="${soon}"></time>`;
      stage.clock.refreshTimes();
    }""")

    expect(timed_page.locator("#left")).to_have_text("1:06")
    timed_page.clock.run_for(1750)
    expect(timed_page.locator("#left")).to_have_text("1:04")
