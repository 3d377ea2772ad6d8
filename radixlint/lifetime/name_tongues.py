"""Names of the clock in other languages, as rows of the name table; what means something else in English is left out."""

from __future__ import annotations

from typing import Final

NOW_PHRASES: Final = (
    "aktuelle zeit, aktuelle uhrzeit, aktueller zeitpunkt, jetzige zeit, heure actuelle, hora actual, hora atual, horario atual, "
    "ora attuale, huidige tijd, текущее время"
)
TODAY_PHRASES: Final = (
    "heutiges datum, aktuelles datum, aujourd hui, date du jour, date actuelle, fecha actual, fecha de hoy, data atual, "
    "data de hoje, data odierna, data attuale, huidige datum, текущая дата"
)
NOW: Final = (
    "jetzt, maintenant, ahora, agora, adesso, сейчас, 現在時刻, 現在日時, 現在の時刻, 現在の日時, 当前时间, 现在时间, "
    "当前日期时间, 當前時間, 現在時間, 현재시간, 현재시각"
)
TODAY: Final = (
    "heute, aujourdhui, hoy, hoje, oggi, vandaag, сегодня, 今日, 本日, 今日の日付, 現在日付, 今天, 当前日期, 當前日期, "
    "오늘, 오늘날짜, 현재날짜"
)
TIME: Final = "zeit, uhrzeit, heure, hora, время, 时间, 時間, 時刻, 日時, 시간, 시각"
DATE: Final = "fecha, дата, 日期, 日付, 날짜"
